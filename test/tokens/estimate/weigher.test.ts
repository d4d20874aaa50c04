import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countFeatures } from '../../../bench/estimator/features.ts'
import { FEATURES } from '../../../src/tokens/estimate/automaton.ts'
import { weigherOf } from '../../../src/tokens/estimate/weigher.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { full } from '../../support/full.ts'

/** Weights that differ, and that are small enough for the tables of two characters at once. */
const weights = Float64Array.from({ length: FEATURES }, (_, at) => ((at * 37) % 100) / 100)
const pairs = Float64Array.from({ length: 32 * 32 }, (_, at) => ((at * 13) % 64) / 64)

/** A weigher that has read enough to read two characters at once from now on. */
function practised(own = weights): (text: string) => number {
  const weigh = weigherOf(own, pairs)
  weigh(' '.repeat(250_000))
  return weigh
}

const twoByTwo = practised()
/** A weigher that has read little reads one character after the other. */
let unpractised = weigherOf(weights, pairs)
let read = 0
function oneByOne(text: string): number {
  read += text.length
  if (read > 200_000) {
    unpractised = weigherOf(weights, pairs)
    read = text.length
  }
  return unpractised(text)
}

const piece = fc.oneof(
  fc.constantFrom(
    'the',
    ' ',
    '  ',
    '\n',
    'Id',
    '42',
    '});',
    '    ',
    'aB3xQ',
    '中文',
    '\ud83d',
    'é',
    '---',
    '===',
    'aaa',
    '✓',
  ),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
)
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

describe('a weigher', () => {
  it('gives the weighted sum of the features of a text', () => {
    fc.assert(
      fc.property(text, (one) => {
        const sum = countFeatures(one, pairs).reduce((all, count, at) => all + count * (weights[at] ?? 0), 0)
        // Each weight is rounded to a small part of a token.
        expect(Math.abs(oneByOne(one) - sum)).toBeLessThanOrEqual(one.length * 2 ** -15)
      }),
    )
  })

  it('weighs a text the same when it reads two characters at once', () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(twoByTwo(one)).toBe(oneByOne(one))
      }),
      { numRuns: full ? 5_000 : 60 },
    )
  })

  it('weighs a text that is copied in several parts the same, wherever they end', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4_060, max: 4_110 }), text, (before, length, after) => {
        const long = `${before}${'a rún of wörds, '.repeat(300)}`.slice(0, length) + after.repeat(3)
        expect(twoByTwo(long)).toBe(oneByOne(long))
      }),
    )
  })

  it('weighs runs of one character the same, whatever their length and where they begin', () => {
    // Shorter texts are read one by one.
    const start = 'the beginning of a longer text: '
    for (const one of ['a', 'Z', '-', ' ', '\n', '7', '\0', '─', '中'])
      for (const before of ['', 'x', 'xy', 'xyz'])
        for (let length = 0; length < 20; length++) {
          const run = `${start}${before}${one.repeat(length)}b`
          expect(twoByTwo(run)).toBe(oneByOne(run))
        }
  })

  it('gives the same sum if weights are too large for the tables of two characters', () => {
    const long = 'Long enough to be read two by two, if that were possible. '.repeat(20)
    const ones = new Float64Array(FEATURES).fill(1, 0, FEATURES - 7)
    expect(practised(ones)(long)).toBe(long.length)
  })
})

describe('the features', () => {
  it('none falls when text is appended', () => {
    fc.assert(
      fc.property(text, text, (one, more) => {
        const before = countFeatures(one, pairs)
        const after = countFeatures(one + more, pairs)
        for (let at = 0; at < before.length; at++) expect(after[at]).toBeGreaterThanOrEqual((before[at] ?? 0) - 1e-9)
      }),
    )
  })

  it('count every character once', () => {
    fc.assert(
      fc.property(text, (one) => {
        const counts = countFeatures(one, new Float64Array(32 * 32))
        expect(counts.reduce((all, count) => all + count, 0)).toBe(one.length)
      }),
    )
  })
})
