import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sharedLength } from '../../../src/gateway/faces/known-requests.ts'

it('is the place of the first byte that differs', () => {
  fc.assert(
    fc.property(fc.nat(9_000), fc.nat(9_000), fc.nat(9_000), (length, other, place) => {
      const [a, b] = [Buffer.alloc(length, 7), Buffer.alloc(other, 7)]
      const most = Math.min(length, other)
      if (place < most) b[place] = 8
      expect(sharedLength(a, b)).toBe(Math.min(place, most))
      expect(sharedLength(b, a)).toBe(Math.min(place, most))
    }),
    { numRuns: 200 },
  )
})
