import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstNamesIn, scanWords } from '../../../../src/engine/extract/text/identifiers.ts'
import { full } from '../../../support/full.ts'

/** The regular expressions that the scan replaces. */
const NAME =
  /(?<![\w$/.@-])(?=\w{5,60}(?![\w$/-]|\.\w))(?:[a-z]+\d*(?:[A-Z]\w*)|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z]\w*_\w+)/g
const HASH = /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/g
const OTHERS = {
  url: /\bhttps?:\/\/\S{4}/,
  port: /\b(?:port|localhost:)\s*\d{2,5}\b/i,
  version: /\bv?\d{1,4}\.\d{1,4}\.\d{1,6}/,
  issue: /(?<![\w&])#\d{1,6}\b|\b[A-Z]{2,10}-\d{1,6}\b/,
} as const

const pieces = ['a', 'f', 'z', 'A', 'Z', '0', '9', '_', '.', '-', '/', '$', '@', '#', ' ', '\n', ':', 'é', '中'].concat(
  [
    ...['http://', 'https://host', 'port 80', '1.2.3', 'v1.20.300', 'ABC-12', '#12', 'deadbeef1', 'fooBar', 'FooBar'],
    ...['foo_bar', '_private', 'trailing_', 'x'.repeat(55)],
  ],
)
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((some) => some.join(''))

test('one pass over a text finds the names and hashes that patterns would find', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const scanned = scanWords(text, 20_000)
      expect(scanned?.names ?? []).toEqual(text.match(NAME) ?? [])
      expect(scanned?.hashes ?? []).toEqual(text.match(HASH) ?? [])
    }),
    { numRuns: full ? 2_000 : 400 },
  )
})

test('a text that one pass rules a kind of identifier out for has none', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const mayHave = scanWords(text, 20_000)?.mayHave
      for (const [kind, pattern] of Object.entries(OTHERS)) {
        if (pattern.test(text)) expect(mayHave).toHaveProperty(kind, true)
      }
    }),
    { numRuns: full ? 2_000 : 400 },
  )
})

test('only the first characters of a text are looked at, and a name that they end in is taken as it is there', () => {
  expect(scanWords('aName bNameIsCut', 11)?.names).toEqual(['aName', 'bName'])
})

test('the first names are each listed once', () => {
  expect(firstNamesIn(['aName aName', 'bName cName', 'dName'], 4_000, 2)).toEqual(['aName', 'bName'])
})
