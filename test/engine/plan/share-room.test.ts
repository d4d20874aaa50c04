import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Shareable, shareRoom } from '../../../src/engine/plan/share-room.ts'

type Short = { readonly tokens: number }

/** A part whose forms have any number of tokens from `least` on, or some fewer than they may. */
function part(size: number, more: Partial<Shareable<Short>> = {}, waste = 0): Shareable<Short> {
  const { least = Math.min(size, 10) } = more
  const shortTo = (tokens: number) => ({ tokens: Math.max(least, tokens - waste) })
  return { size, most: size, least, isSolid: false, shortTo, ...more }
}

const image = part(1_200, { isSolid: true, least: 7, shortTo: () => ({ tokens: 7 }) })
const sizes = (parts: readonly Shareable<Short>[], room: number) =>
  shareRoom(parts, room)?.map((form, i) => form?.tokens ?? parts[i]?.size)

it('small parts stay whole, and the larger ones give first', () => {
  expect(sizes([part(100), part(900), part(400)], 1_000)).toEqual([100, 500, 400])
  expect(sizes([part(100), part(900), part(800)], 1_000)).toEqual([100, 450, 450])
})

it('a part has no more than its most', () => {
  expect(sizes([part(900, { most: 300 }), part(900)], 2_000)).toEqual([300, 900])
})

it('room that one part cannot use goes to the others', () => {
  expect(sizes([part(1_000, {}, 50), part(1_001)], 1_000)).toEqual([450, 550])
})

it('nothing is the answer if the shortest forms do not fit', () => {
  expect(sizes([part(100), part(100)], 19)).toBeUndefined()
})

it('an image stays beside texts that have enough, and goes before they have next to nothing', () => {
  expect(sizes([image, part(5_000)], 2_000)).toEqual([1_200, 800])
  expect(sizes([image, part(5_000)], 1_700)).toEqual([7, 1_693])
  expect(sizes([image, part(300)], 1_500)).toEqual([1_200, 300])
})

it('all of the room is used and none of it twice, whatever the parts', () => {
  const parts = fc.array(
    fc
      .record({ size: fc.nat(5_000), least: fc.nat(30) })
      .map(({ size, least }) => part(size, { least: Math.min(size, least) })),
    { minLength: 1, maxLength: 12 },
  )
  fc.assert(
    fc.property(parts, fc.nat(20_000), (all, room) => {
      const shared = sizes(all, room)
      const whole = all.reduce((sum, { size }) => sum + size, 0)
      const used = shared?.reduce<number>((sum, tokens) => sum + (tokens ?? 0), 0)
      if (used === undefined) expect(all.reduce((sum, { least }) => sum + least, 0)).toBeGreaterThan(room)
      else expect(used).toBe(Math.min(whole, room))
    }),
    { numRuns: 300 },
  )
})
