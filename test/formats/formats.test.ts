import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FORMATS, formatNamed, READABLE_FORMATS, WRITABLE_FORMATS } from '../../src/formats/formats.ts'

const docs = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8')

it('every format has a name of its own, and is read or written', () => {
  const names = FORMATS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(new Set([...READABLE_FORMATS, ...WRITABLE_FORMATS])).toEqual(new Set(names))
})

it.each(FORMATS.map(({ name }) => name))('the docs say what is kept of %s', (name) => {
  const rows = (section: string) =>
    docs
      .split(`## ${section}\n`)[1]
      ?.split('\n## ')[0]
      ?.match(/^\|[^|]*\|/gm)
      ?.join() ?? ''
  const { read, write } = formatNamed(name)
  if (read !== undefined) expect(rows('What is read')).toContain(`\`${name}\``)
  if (write !== undefined) expect(rows('What is written')).toContain(`\`${name}\``)
})
