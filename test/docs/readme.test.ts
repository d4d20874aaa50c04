import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withoutBlocks } from '../../scripts/docs/blocks.ts'
import { readmePage } from '../../scripts/docs/readme-page.ts'
import { COMPACT_EXAMPLE, DIFF_EXAMPLE } from '../../scripts/docs/session-block.ts'
import { pith } from '../support/cli.ts'
import { configFolders } from '../support/config-folders.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

describe('README', () => {
  it('shows what the program does to its session, and the numbers of the committed results', async () => {
    const folders = configFolders()
    const { stdout: record } = await pith(folders, COMPACT_EXAMPLE)
    const { stdout: diff } = await pith(folders, DIFF_EXAMPLE)
    expect(README).toBe(readmePage({ record, diff }))
  })

  it('has no measured number that is written by hand', () => {
    const prose = withoutBlocks(README).replaceAll(/^```[\s\S]*?^```$/gm, '')
    expect(prose.match(/\$\d\S*|\d[\d,.]* ?(%|ms|µs|s|kB|MB|GB|times)(?!\w)/g) ?? []).toEqual([])
  })
})
