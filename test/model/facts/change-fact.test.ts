import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changeOf } from '../../../src/engine/extract/ledger/change-of.ts'
import { changeWithout, comesFrom, mergeChanges, unreadChange } from '../../../src/model/facts/merge-facts.ts'
import { full } from '../../support/full.ts'

/** Definitions of a few names: edits take some away and put some in. */
const text = fc
  .uniqueArray(fc.constantFrom('alpha', 'beta', 'gamma', 'delta'))
  .map((names) => names.map((name) => `function ${name}() {`).join('\n'))
const edit = fc.record({
  path: fc.constantFrom('a.ts', 'b.ts'),
  before: fc.option(text, { nil: undefined }),
  after: text,
})
const changes = fc
  .array(edit, { maxLength: 12 })
  .map((edits) =>
    edits.map(({ path, before, after }, i) =>
      changeOf(path, [before === undefined ? { after } : { before, after }], i + 1),
    ),
  )

it('facts of spans merge to the same as those of the whole, however they are cut', () => {
  fc.assert(
    fc.property(changes, fc.array(fc.boolean()), (facts, inFirst) => {
      const first = facts.filter((_, i) => inFirst[i] === true)
      const second = facts.filter((_, i) => inFirst[i] !== true)
      const whole = mergeChanges(facts)
      const sorted = (merged: typeof whole) =>
        merged.map(({ symbols = [], ...fact }) => ({
          ...fact,
          symbols: symbols.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
        }))
      expect(sorted(mergeChanges([...mergeChanges(first), ...mergeChanges(second)]))).toEqual(sorted(whole))
      expect(sorted(mergeChanges([...mergeChanges(second), ...mergeChanges(first)]))).toEqual(sorted(whole))
    }),
    { numRuns: full ? 5_000 : 100 },
  )
})

it('however many files and edits there are, an index stores a limited part of them', () => {
  const long = Array.from({ length: 40 }, (_, i) => `function name${i}() {`).join('\n')
  const many = Array.from({ length: 3_000 }, (_, i) => changeOf(`src/file-${i % 1_500}.ts`, [{ after: long }], i + 1))
  const merged = mergeChanges(many)
  expect(merged.length).toBe(1_000)
  expect(JSON.stringify(merged).length).toBeLessThan(250_000)
  // The newest are whole.
  expect(merged.at(-1)?.hunks).toBeDefined()
  expect(merged.at(0)?.hunks).toBeUndefined()
})

it('no part of a redacted entry stays', () => {
  const facts = [
    changeOf('a.ts', [{ before: '', after: 'function kept() {' }], 1),
    changeOf('a.ts', [{ before: '', after: 'function secret() {' }], 2),
  ]
  const [merged] = mergeChanges(facts)
  if (merged === undefined) throw new Error('no change')
  expect(comesFrom(merged, new Set([2]))).toBe(true)
  const left = changeWithout(merged, new Set([2]))
  expect(JSON.stringify(left)).not.toContain('secret')
  expect(JSON.stringify(left)).toContain('kept')
  expect(changeWithout(changeOf('a.ts', [], 3), new Set([3]))).toBeUndefined()
})

it('the text of a change is looked for only if there is room to show it', () => {
  const read: number[] = []
  const long = 'x'.repeat(20_000)
  const facts = [1, 2, 3, 4, 5].map((seq) =>
    unreadChange({ path: `${seq}.ts`, seq, edits: 1 }, () => {
      read.push(seq)
      return { hunks: [{ seq, text: long }] }
    }),
  )
  const merged = mergeChanges(facts)
  expect(merged.map(({ seq, hunks = [] }) => [seq, hunks.length])).toEqual([
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 1],
    [5, 1],
  ])
  expect(new Set(read)).toEqual(new Set([3, 4, 5]))
})
