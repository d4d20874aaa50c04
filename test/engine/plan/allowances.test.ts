import { describe, expect, it } from 'vitest'
import { allowancesOf, verbatimRoom } from '../../../src/engine/plan/plan-shape.ts'
import type { Budget } from '../../../src/tokens/budget.ts'

const budget: Budget = { reserve: 0, growth: 0, tail: 5_000, summary: 8_000, index: 8_000, names: 8_000 }
const within = (target: number): Budget => ({ ...budget, target })

describe('without a target', () => {
  it('every part may take what the policy gives it', () => {
    expect(allowancesOf(budget, undefined, { first: 300, latest: 900 })).toEqual({
      summaryTokens: 8_000,
      recordTokens: 16_000,
      userTokens: 10_000,
      quoteTokens: 10_000,
      firstUserTokens: 300,
      room: Number.POSITIVE_INFINITY,
    })
  })

  it('only a single message of the user is limited', () => {
    expect(allowancesOf(budget, undefined, { first: 90_000, latest: 0 }).firstUserTokens).toBe(10_000)
    expect(allowancesOf(budget).firstUserTokens).toBe(0)
  })
})

describe('within a target', () => {
  it('a record gets three quarters, and a model may write a quarter', () => {
    expect(allowancesOf(within(10_001))).toEqual({
      summaryTokens: 2_500,
      recordTokens: 7_500,
      userTokens: 2_500,
      quoteTokens: 2_500,
      firstUserTokens: 0,
      room: 10_001,
    })
  })

  it('a model may write no more than the policy gives it', () => {
    expect(allowancesOf({ ...within(10_000), summary: 70 })).toMatchObject({ summaryTokens: 70 })
  })

  it('a record that needs less leaves the rest', () => {
    const needs = (tokens: number) => allowancesOf(within(10_000), undefined, undefined, undefined, tokens)
    expect(needs(700)).toMatchObject({ recordTokens: 700, room: 10_000 })
    expect(needs(8_000)).toEqual(allowancesOf(within(10_000)))
  })

  it('what the user said first and last comes before the other parts', () => {
    const said = { first: 1_000, latest: 1_000 }
    expect(allowancesOf(within(10_000), undefined, said)).toMatchObject({
      firstUserTokens: 1_000,
      summaryTokens: 2_000,
      recordTokens: 6_000,
    })
  })

  it('what the user said takes a quarter of the target each at most', () => {
    const said = { first: 9_000, latest: 9_000 }
    expect(allowancesOf(within(10_000), undefined, said)).toMatchObject({
      firstUserTokens: 2_500,
      userTokens: 2_500,
      recordTokens: 3_750,
    })
  })

  it('the floor and the frame with its headings leave less room', () => {
    const { room } = allowancesOf(within(10_000), { floorTokens: 4_000, frameTokens: 0 })
    expect(room).toBe(6_000)
    const framed = allowancesOf(within(10_000), { floorTokens: 4_000, frameTokens: 200 }).room
    expect(framed).toBeLessThan(5_800)
    expect(framed).toBeGreaterThan(5_600)
  })

  it('headings take half of a small room at most', () => {
    expect(allowancesOf(within(1_000), { floorTokens: 879, frameTokens: 100 }).room).toBe(11)
  })

  it('a message in the index gets half of a small room, a message in the view its quarter', () => {
    const floor = { floorTokens: 9_001, frameTokens: 0 }
    expect(allowancesOf(within(10_000), floor, { first: 800, latest: 100 })).toMatchObject({
      userTokens: 2_500,
      quoteTokens: 499,
      firstUserTokens: 499,
      room: 999,
      summaryTokens: 100,
      recordTokens: 300,
    })
  })

  it('nothing is negative except the room if the floor alone is too large', () => {
    expect(
      allowancesOf(within(1_000), { floorTokens: 900, frameTokens: 200 }, { first: 10, latest: 10 }),
    ).toMatchObject({
      summaryTokens: 0,
      recordTokens: 0,
      quoteTokens: 0,
      firstUserTokens: 0,
      room: -100,
    })
  })

  it('the calls of the last step come before the record, with up to a quarter of the room', () => {
    const beside = (step: number) => {
      const allowances = allowancesOf(within(1_000), undefined, { first: 0, latest: 200, step })
      return { record: allowances.recordTokens, verbatim: verbatimRoom(allowances) }
    }
    expect(beside(0).record).toBeGreaterThan(beside(250).record)
    expect(beside(250).verbatim).toBeGreaterThanOrEqual(200 + 250)
    expect(beside(9_000)).toEqual(beside(250))
  })

  it('what is pinned comes before the record, with up to half of the room', () => {
    const beside = (pinned: number) => allowancesOf(within(10_000), undefined, { first: 0, latest: 0, pinned })
    for (const pinned of [0, 3_000, 5_000])
      expect(verbatimRoom(beside(pinned)), `${pinned}`).toBeGreaterThanOrEqual(pinned + (10_000 - pinned) / 4)
    expect(beside(9_000)).toEqual(beside(5_000))
  })

  it('what is kept verbatim gets the room that the other parts leave', () => {
    const shared = allowancesOf(within(10_000), undefined, { first: 1_000, latest: 1_000 })
    expect(verbatimRoom(shared)).toBe(10_000 - 6_000 - 1_000)
  })
})
