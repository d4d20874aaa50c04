import { describe, expect, it } from 'vitest'
import { differenceTable } from '../../../bench/cost/difference-table.ts'
import { type Outcome, sumOf } from '../../../bench/cost/outcome.ts'

function outcome(cost: number, found = 8): Outcome {
  return { ...sumOf([]), sessions: 1, cost, references: 10, found, edits: 4, editsSeen: 3 }
}

describe('the differences of two policies', () => {
  it('are those of the sums, with an interval over sessions and how often ours is dearer', () => {
    const ours = { name: 'ours', bySession: [outcome(1), outcome(2), outcome(6)] }
    const theirs = { name: 'theirs', bySession: [outcome(2, 9), outcome(4, 9), outcome(5, 9)] }
    const { rows } = differenceTable('t', [ours, theirs])
    const [name, cheaper, interval, dearer, found, , edited] = rows[0] ?? []
    expect([name, cheaper, dearer, found, edited]).toEqual(['theirs', 18.2, '1 of 3', -10, 0])
    const [low = 0, high = 0] = String(interval).split(' to ').map(Number)
    expect(low).toBeLessThan(0)
    expect(high).toBeGreaterThan(40)
  })
})
