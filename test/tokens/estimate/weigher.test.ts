import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { featureWeights, letterPairs } from '../../../src/tokens/estimate/feature-estimator.ts'
import { byTwo } from '../../../src/tokens/estimate/weigh-by-two.ts'
import { tablesOf, weighByOne } from '../../../src/tokens/estimate/weigher.ts'

const tables = tablesOf(featureWeights(), letterPairs())
const oneByOne = (text: string) => weighByOne(text, tables.steps, tables.pairWeights)
const twoByTwo = byTwo(tables)

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
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
)
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

describe('reading two characters at once', () => {
  it('weighs a text as reading one after the other does', () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(twoByTwo?.(one)).toBe(oneByOne(one))
      }),
      { numRuns: 500 },
    )
  })

  it('weighs a text that is copied in several parts the same, wherever they end', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4_060, max: 4_110 }), text, (before, length, after) => {
        const long = `${before}${'a rún of wörds, '.repeat(300)}`.slice(0, length) + after.repeat(3)
        expect(twoByTwo?.(long)).toBe(oneByOne(long))
      }),
    )
  })

  it('weighs runs of one character the same, whatever their length and where they begin', () => {
    for (const one of ['a', 'Z', '-', ' ', '\n', '7', '\0', '─', '中'])
      for (const before of ['', 'x', 'xy', 'xyz'])
        for (let length = 0; length < 20; length++) {
          const run = before + one.repeat(length)
          expect(twoByTwo?.(`${run}b`)).toBe(oneByOne(`${run}b`))
        }
  })

  it('does without where weights are too large to be packed', () => {
    expect(byTwo({ ...tables, weightOf: () => 1 << 16 })).toBeUndefined()
  })
})
