import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withoutBlocks } from '../../scripts/docs/blocks.ts'
import { readmePage } from '../../scripts/docs/readme-page.ts'
import { COMPACT_EXAMPLE, DIFF_EXAMPLE } from '../../scripts/docs/session-block.ts'
import { pith } from '../support/cli.ts'
import { configFolders } from '../support/config-folders.ts'

const pageOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const README = pageOf('README.md')

/** Numbers with a unit that things are measured in, in what is written by hand. */
function measuredNumbers(page: string): string[] {
  const prose = withoutBlocks(page).replaceAll(/^```[\s\S]*?^```$/gm, '')
  return prose.match(/\$\d\S*|\d[\d,.]* ?(%|ms|µs|s|kB|MB|GB|points|times)(?!\w)/g) ?? []
}

describe('README', () => {
  it('shows what the program does to its session, and the numbers of the committed results', async () => {
    const folders = configFolders()
    const { stdout: record } = await pith(folders, COMPACT_EXAMPLE)
    const { stdout: diff } = await pith(folders, DIFF_EXAMPLE)
    expect(README).toBe(readmePage({ record, diff }))
  })

  it('has no measured number that is written by hand', () => {
    expect(measuredNumbers(README)).toEqual([])
  })
})

describe('pages that quote results', () => {
  it.each([
    ['docs/policies.md', /^## What they cost$[\s\S]*?(?=^## )/m],
    ['docs/gateway.md', /^## Time and memory$[\s\S]*?(?=^## )/m],
    ['docs/how-it-works.md', /^## What is still there afterwards$[\s\S]*/m],
  ])('%s has them from the results alone', (file, section) => {
    const [text = ''] = section.exec(pageOf(file)) ?? []
    expect(text).not.toBe('')
    expect(measuredNumbers(text).filter((number) => !SETTINGS.includes(number))).toEqual([])
  })
})

/** The most that the gateway holds is a setting of the program, not a result. */
const SETTINGS = ['64 MB']
