import { describe, expect, it } from 'vitest'
import { allowancesOf, verbatimRoom } from '../../../src/engine/plan/plan-shape.ts'
import type { Budget } from '../../../src/tokens/budget.ts'

const budget: Budget = { reserve: 0, growth: 0, tail: 5_000, summary: 8_000, index: 8_000, names: 8_000 }
const within = (target: number): Budget => ({ ...budget, target })

describe('without a target', () => {
  it('every part may take what the policy gives it', () => {
    expect(allowancesOf(budget, undefined, { first: 300, latest: 900 })).toEqual({
      summaryTokens: 8_000,
      indexTokens: 8_000,
      nameTokens: 8_000,
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
  it('names get a quarter, the summary a third of the rest and the index a sixth of it', () => {
    expect(allowancesOf(within(10_001))).toEqual({
      summaryTokens: 2_500,
      indexTokens: 1_250,
      nameTokens: 2_500,
      userTokens: 2_500,
      quoteTokens: 2_500,
      firstUserTokens: 0,
      room: 10_001,
    })
  })

  it('no part gets more than the policy gives it', () => {
    const small = { ...within(10_000), summary: 70, index: 60, names: 50 }
    expect(allowancesOf(small)).toMatchObject({ summaryTokens: 70, indexTokens: 60, nameTokens: 50 })
  })

  it('what the user said first and last comes before the other parts', () => {
    const said = { first: 1_000, latest: 1_000 }
    expect(allowancesOf(within(10_000), undefined, said)).toMatchObject({
      firstUserTokens: 1_000,
      nameTokens: 2_000,
      summaryTokens: 2_000,
      indexTokens: 1_000,
    })
  })

  it('what the user said takes a quarter of the target each at most', () => {
    const said = { first: 9_000, latest: 9_000 }
    expect(allowancesOf(within(10_000), undefined, said)).toMatchObject({
      firstUserTokens: 2_500,
      userTokens: 2_500,
      nameTokens: 1_250,
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
      nameTokens: 100,
      summaryTokens: 100,
      indexTokens: 50,
    })
  })

  it('nothing is negative except the room if the floor alone is too large', () => {
    expect(
      allowancesOf(within(1_000), { floorTokens: 900, frameTokens: 200 }, { first: 10, latest: 10 }),
    ).toMatchObject({
      summaryTokens: 0,
      indexTokens: 0,
      nameTokens: 0,
      quoteTokens: 0,
      firstUserTokens: 0,
      room: -100,
    })
  })

  it('the calls of the last step come before summary, names and index, with up to a quarter of the room', () => {
    const beside = (step: number) => {
      const { summaryTokens, indexTokens, nameTokens, ...rest } = allowancesOf(within(1_000), undefined, {
        first: 0,
        latest: 200,
        step,
      })
      return {
        shared: summaryTokens + indexTokens + nameTokens,
        verbatim: verbatimRoom({ ...rest, summaryTokens, indexTokens, nameTokens }),
      }
    }
    expect(beside(0).shared).toBeGreaterThan(beside(250).shared)
    expect(beside(250).verbatim).toBeGreaterThanOrEqual(200 + 250)
    expect(beside(9_000)).toEqual(beside(250))
  })

  it('what is kept verbatim gets the room that the other parts leave', () => {
    const shared = allowancesOf(within(10_000), undefined, { first: 1_000, latest: 1_000 })
    expect(verbatimRoom(shared)).toBe(10_000 - 2_000 - 1_000 - 2_000 - 1_000)
  })
})
