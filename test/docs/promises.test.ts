import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const at = (file: string) => new URL(`../../${file}`, import.meta.url)
const PAGE = readFileSync(at('docs/promises.md'), 'utf8')

/** Requirements of the presets: K1 to K22, R1 to R14, A1 to A16, T1 to T16. */
const IDS = Object.entries({ K: 22, R: 14, A: 16, T: 16 }).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, i) => `${letter}${i + 1}`),
)

type Named = { readonly file: string; readonly title: string }

const named: readonly Named[] = [...PAGE.matchAll(/^- `(test\/[^`]+)` — (.+)$/gm)].map(([, file = '', title = '']) => ({
  file,
  title,
}))
const required: readonly (Named & { id: string })[] = [
  ...PAGE.matchAll(/^\| ([KRAT]\d+) \| (.+) \| `(test\/[^`]+)` \|$/gm),
].map(([, id = '', title = '', file = '']) => ({ id, file, title: `${id}: ${title}` }))

/** True when the file has a test or a group of this title. */
function isThere({ file, title }: Named): boolean {
  if (!existsSync(at(file))) return false
  const text = readFileSync(at(file), 'utf8')
  return ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`))
}

describe('the page of promises', () => {
  it('names tests that exist', () => {
    expect(named.length).toBeGreaterThan(40)
    expect([...named, ...required].filter((test) => !isThere(test))).toEqual([])
  })

  it('says where the tests are, because the package has none', () => {
    const { files } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { files: string[] }
    expect(files.filter((file) => file.startsWith('test'))).toEqual([])
    expect(PAGE.split('\n## ')[0]).toMatch(/in the repository, not in the package/)
  })

  it('names at least three tests for each of fourteen promises', () => {
    const sections = PAGE.split(/^## /m).filter((section) => /^\d+\. /.test(section))
    expect(sections.map((section) => section.split('.')[0])).toEqual(Array.from({ length: 14 }, (_, i) => `${i + 1}`))
    for (const section of sections) expect(section.match(/^- `test\//gm)?.length, section).toBeGreaterThanOrEqual(3)
  })

  it('names a test for every requirement of the presets', () => {
    expect(required.map(({ id }) => id)).toEqual(IDS)
  })
})
