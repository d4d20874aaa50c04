import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeWordsIn } from '../../../../src/engine/extract/text/code-names.ts'
import { full } from '../../../support/full.ts'

/** The regular expressions that the loop replaces: a word with its members, and of those the words that no language has. */
const WORD = /(?<![\w*\\.-])[A-Za-z_\d][\w-]{2,79}(?![\w-])(?:\.[A-Za-z][\w-]{0,40}){0,3}(?![\w-])/g
const TELLING = /^.[^.]*[A-Z_\d-]|\./

const pieces = ['a', 'b', 'X', 'Z', '0', '9', '_', '-', '.', '*', '\\', '/', ' ', '\n', '(', 'é', '中'].concat([
  'fooBar',
  'a.b.c',
  '.tsx',
  'foo_bar',
  'one-two-three',
  'x'.repeat(41),
  'y'.repeat(42),
  'z'.repeat(78),
])
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((some) => some.join(''))

test('one loop over a text finds the words that a pattern would find', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(codeWordsIn(text)).toEqual((text.match(WORD) ?? []).filter((word) => TELLING.test(word)))
    }),
    { numRuns: full ? 4_000 : 800 },
  )
})

test('a name is taken with its members, and a word of a language is not', () => {
  expect(codeWordsIn('the parser reads view.items.length from src/view-of.ts')).toEqual([
    'view.items.length',
    'view-of.ts',
  ])
})
