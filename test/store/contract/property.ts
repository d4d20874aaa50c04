import fc from 'fast-check'
import { it } from 'vitest'
import type { EntryQuery } from '../../../src/store/store.ts'
import { full } from '../../support/full.ts'
import { Model, type Move } from './model.ts'
import type { Start } from './world.ts'

/** Small, so that forks have entries of the same seq, and the same entry is compacted and redacted. */
const nat = fc.nat({ max: 5 })

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('say' as const), session: nat, count: fc.nat({ max: 4 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('compact' as const, 'fork', 'redact'), session: nat, seq: nat }),
  },
)

const anyQuery: fc.Arbitrary<EntryQuery> = fc.record(
  {
    from: fc.nat({ max: 12 }),
    upTo: fc.nat({ max: 12 }),
    seqs: fc.array(fc.nat({ max: 12 }), { maxLength: 6 }),
    only: fc.constantFrom('messages' as const, 'changes' as const),
    order: fc.constantFrom('oldest' as const, 'newest' as const),
    limit: fc.nat({ max: 6 }),
  },
  { requiredKeys: [] },
)

/** That a store is a list of entries, whatever is done to it. */
export function propertyTests(start: Start): void {
  it('gives the same entries, and the same hits, as lists in memory', async () => {
    const { store } = await start()
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { maxLength: 25, size: 'max' }),
        fc.array(anyQuery, { maxLength: 4 }),
        async (moves, queries) => {
          const model = new Model(store)
          await model.begin()
          for (const next of moves) await model.apply(next)
          await model.check(queries)
        },
      ),
      { numRuns: full ? 1_000 : 15 },
    )
  })
}
