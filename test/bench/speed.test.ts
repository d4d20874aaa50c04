import { describe, expect, it } from 'vitest'
import { conversation } from '../../bench/speed/conversation.ts'
import { expectedMs } from '../../bench/speed/expected.ts'
import { madeUp } from '../../bench/speed/material.ts'
import type { Measured, Result } from '../../bench/speed/measure.ts'
import { contestTable, goalNotes } from '../../bench/speed/tables.ts'
import { validate } from '../../src/engine.ts'

describe('a made-up session', () => {
  it('is the same for the same seed, as long as asked for, and what a provider takes', () => {
    for (const length of [1, 2, 7, 100, 999]) {
      const messages = conversation(length)
      expect(messages).toHaveLength(length)
      expect(validate(messages)).toEqual([])
    }
    expect(conversation(50, 3)).toEqual(conversation(50, 3))
    expect(conversation(50, 3)).not.toEqual(conversation(50, 4))
  })

  it('is its own place on the curve', () => {
    expect(madeUp(10)).toMatchObject({ label: '10', size: 10, messages: 10 })
  })
})

describe('how long the next size would take', () => {
  const points = (...ms: number[]) => ms.map((one, at) => ({ size: 10 ** (at + 3), ms: one }))

  it('follows the growth between the last two sizes', () => {
    expect(expectedMs(points(1, 10), 100_000)).toBeCloseTo(100)
    expect(expectedMs(points(1, 100), 100_000)).toBeCloseTo(10_000)
  })

  it('is taken for quadratic after one size, and for too long after one that was not run', () => {
    expect(expectedMs(points(5), 10_000)).toBeCloseTo(500)
    expect(expectedMs(points(5, Number.NaN), 100_000)).toBe(Number.POSITIVE_INFINITY)
  })

  it('is not known before the first', () => {
    expect(expectedMs([], 1_000)).toBeUndefined()
  })
})

describe('the table of a contest', () => {
  const entrant = (name: string, kind: 'pith' | 'peer' | 'limit') => ({ name, kind, enter: () => never() })
  const never = () => {
    throw new Error('not run here')
  }
  const measured = (results: Result[]): Measured => ({
    contest: {
      slug: 's',
      title: 'T',
      module: '',
      name: '',
      entrants: [entrant('Pith', 'pith'), entrant('other', 'peer'), entrant('bare', 'limit')],
    },
    columns: [{ label: '1,000', size: 1_000, results }],
  })

  it('shows each beside the limit, and a peer that did not run without a number', () => {
    const rows = contestTable(
      measured([
        { name: 'Pith', ms: 6, addedMb: 2 },
        { name: 'bare', ms: 3 },
        { name: 'other', ms: Number.NaN, failure: 'no' },
      ]),
    ).rows
    expect(rows).toEqual([
      ['Pith', 6, 2, 2],
      ['other', Number.NaN, Number.NaN, undefined],
      ['limit: bare', 3, 1, undefined],
    ])
  })

  it('says where a goal is missed', () => {
    const [note] = goalNotes(
      measured([
        { name: 'Pith', ms: 8 },
        { name: 'other', ms: 2 },
        { name: 'bare', ms: 1 },
      ]),
    )
    expect(note).toContain('missed: 1,000: other is 4 times faster; 1,000: Pith is 8 times the limit')
  })

  it('holds a peer that does other work against nothing', () => {
    const { contest, columns } = measured([
      { name: 'Pith', ms: 2 },
      { name: 'other', ms: 1 },
      { name: 'bare', ms: 1 },
    ])
    const entrants = contest.entrants.map((one) => (one.kind === 'peer' ? { ...one, rival: 'none' } : one))
    expect(goalNotes({ contest: { ...contest, entrants }, columns })[0]).toContain('held everywhere')
  })

  it('says when all goals are met', () => {
    const [note] = goalNotes(
      measured([
        { name: 'Pith', ms: 2 },
        { name: 'other', ms: 3 },
        { name: 'bare', ms: 1 },
      ]),
    )
    expect(note).toContain('held everywhere')
  })
})
