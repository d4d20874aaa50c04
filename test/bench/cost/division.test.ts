import { describe, expect, it } from 'vitest'
import { halfOf } from '../../../bench/cost/division.ts'

describe('the half of a session', () => {
  it('depends on nothing but its id', () => {
    const ids = Array.from({ length: 400 }, (_, i) => `session-${i}`)
    const halves = ids.map(halfOf)
    expect(ids.toReversed().map(halfOf).toReversed()).toEqual(halves)
    const choosing = halves.filter((half) => half === 'choosing').length
    expect(choosing).toBeGreaterThan(160)
    expect(choosing).toBeLessThan(240)
  })

  it('is the one that was written down before the first run', () => {
    expect(halfOf('132b2f66-ee5f-46f6-8904-32d9dc4d36c3')).toBe('choosing')
    expect(halfOf('django__django-11138')).toBe('reporting')
  })
})
