import { describe, expect, it } from 'vitest'
import { ago, axisTimes } from '../../../web/text/times.ts'

describe('times', () => {
  it('are said in the unit that fits', () => {
    expect([ago(0, 30_000), ago(0, 300_000), ago(0, 7_200_000)]).toEqual(['now', '5 min', '2 h'])
  })

  it('on an axis differ from each other, whatever it spans', () => {
    const minute = 60_000
    for (const step of [minute / 6, minute / 2, minute, 60 * minute, 25 * 60 * minute]) {
      const labels = axisTimes([0, step, 2 * step, 3 * step])
      expect(new Set(labels).size).toBe(4)
    }
    expect(axisTimes([0, minute, 2 * minute]).every((label) => /^\d\d:\d\d$/.test(label))).toBe(true)
  })
})
