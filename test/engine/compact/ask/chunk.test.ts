import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunk } from '../../../../src/engine/compact/ask/summarize.ts'
import { charactersByFour, type Estimator } from '../../../../src/tokens/estimate/estimator.ts'

/** Counts digits for more than letters: the ends of a text may be denser than its middle. */
const uneven: Estimator = {
  name: 'uneven',
  text: (text) => [...text].reduce((sum, character) => sum + (/\d/.test(character) ? 1 : 0.25), 0),
}
const estimators = fc.constantFrom(charactersByFour, uneven)
const texts = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.string({ minLength: 1, maxLength: 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 4_000 }).map((length) => '1'.repeat(length)) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 9_000 }).map((length) => 'x'.repeat(length)) },
  ),
  { maxLength: 30 },
)
const limits = fc.integer({ min: 30, max: 2_000 })

describe('chunks', () => {
  it('are one when everything fits, and none of nothing', () => {
    expect(chunk(['a', 'b'], 100, charactersByFour)).toEqual([['a', 'b']])
    expect(chunk(['a', 'b'], Number.POSITIVE_INFINITY, charactersByFour)).toEqual([['a', 'b']])
    expect(chunk([], 100, charactersByFour)).toEqual([])
  })

  it('are one for each text if none of them can be made to fit, and none is empty', () => {
    const chunks = chunk(['abc', 'def'], 1, charactersByFour)
    expect(chunks.map((one) => one.length)).toEqual([1, 1])
  })

  it('have every text exactly once, in order', () => {
    fc.assert(
      fc.property(texts, limits, estimators, (all, limit, estimator) => {
        const flat = chunk(all, limit, estimator).flat()
        expect(flat).toHaveLength(all.length)
        for (const [i, whole] of all.entries()) {
          const [head = '', tail] = (flat[i] ?? '').split(/\[\.\.\.\d+ chars truncated\]/)
          if (flat[i] !== whole) expect(whole.startsWith(head) && whole.endsWith(tail ?? 'none')).toBe(true)
        }
      }),
    )
  })

  it('are each within the limit as they are sent, with empty lines between the texts', () => {
    fc.assert(
      fc.property(texts, limits, estimators, (all, limit, estimator) => {
        for (const part of chunk(all, limit, estimator)) {
          expect(estimator.text(part.join('\n\n'))).toBeLessThanOrEqual(limit)
        }
      }),
      { examples: [[Array.from({ length: 40 }, () => 'abc'), 30, charactersByFour]] },
    )
  })

  it('are not more than needed: two neighbours never fit into one', () => {
    fc.assert(
      fc.property(texts, limits, (all, limit) => {
        const chunks = chunk(all, limit, charactersByFour)
        for (const [i, part] of chunks.entries()) {
          const next = chunks[i + 1]
          if (next === undefined) continue
          const cost = [...part, ...next.slice(0, 1)].reduce((sum, text) => sum + Math.ceil(text.length / 4) + 2, 0)
          expect(cost).toBeGreaterThan(limit)
        }
      }),
    )
  })

  it('hold of a text that is larger than the limit its head and its tail, marked', () => {
    const [[short = ''] = []] = chunk([`HEAD${'x'.repeat(10_000)}TAIL`], 100, charactersByFour)
    expect(short).toMatch(/^HEADx+\[\.\.\.\d+ chars truncated\]x+TAIL$/)
  })
})
