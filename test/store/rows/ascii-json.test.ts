import fc from 'fast-check'
import { expect, it } from 'vitest'
import { asciiJson } from '../../../src/store/rows/stored-entry.ts'
import { full } from '../../support/full.ts'

/** Half of a pair included. */
const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code))

it('any value is read back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit }), fc.nat(200), (text, spaces) => {
      const value = { text: `${text}${' '.repeat(spaces)}`, [text]: [spaces, null] }
      expect(JSON.parse(asciiJson(value))).toEqual(value)
    }),
    { numRuns: full ? 5_000 : 30 },
  )
})

it('a text of mostly ASCII becomes ASCII, so that SQLite reads it fast', () => {
  const text = `${'a plain sentence, '.repeat(20)}– é \u0080 \uffff 😀`
  expect(asciiJson(text)).toMatch(/^"(a plain sentence, ){20}\\u2013 \\u00e9 \\u0080 \\uffff \\ud83d\\ude00"$/)
})

it('a text in another script does not grow', () => {
  expect(asciiJson('設定を読む')).toBe('"設定を読む"')
})
