import { describe, expect, it } from 'vitest'
import { type Thing, tellWithin } from '../../../../src/engine/record/digest/tell-within.ts'

const WAYS = [8, 4, 2]
const things = (count: number): Thing[] =>
  Array.from({ length: count }, (_, i) => ({ rank: i, way: (level) => String(i).repeat(WAYS[level] ?? 0) }))
const told = (count: number, room: number) => tellWithin(things(count), WAYS.length, room, (text) => text.length)

describe('things told within a room', () => {
  it('are all told in full where there is room for it', () => {
    expect(told(3, 27)).toEqual({ lines: ['00000000', '11111111', '22222222'], left: 0, cost: 27 })
  })

  it('are all told, those of the highest rank at more length', () => {
    expect(told(3, 24).lines).toEqual(['0000', '1111', '22222222'])
  })

  it('are told in their shortest form before any is left out, and then the lowest rank is', () => {
    expect(told(3, 9).lines).toEqual(['00', '11', '22'])
    expect(told(3, 8)).toMatchObject({ lines: ['11', '22'], left: 1 })
    expect(told(3, 0)).toEqual({ lines: [], left: 3, cost: 0 })
  })
})
