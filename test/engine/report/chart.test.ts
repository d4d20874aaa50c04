import { describe, expect, it } from 'vitest'
import { bar, marks, sparkline } from '../../../src/engine/report/chart.ts'

describe('a bar', () => {
  it('is as long as its share, in eighths of a character', () => {
    expect([0, 0.5, 0.55, 1].map((share) => bar(share, 10))).toEqual(['', '█████', '█████▌', '██████████'])
  })

  it('shows that there is something, however little, and never more than its width', () => {
    expect(bar(0.000_1, 10)).toBe('▏')
    expect(bar(7, 4)).toBe('████')
    expect(bar(Number.NaN, 4)).toBe('')
  })
})

describe('a sparkline', () => {
  it('has one character a value, as high as the value', () => {
    expect(sparkline([1, 2, 3, 4, 5, 6, 7, 8], 8, 8)).toBe('▁▂▃▄▅▆▇█')
  })

  it('puts values together that do not fit, and shows the largest of each group', () => {
    expect(sparkline([1, 8, 1, 1], 2, 8)).toBe('█▁')
    expect([...sparkline(Array(1_000).fill(3), 80, 8)]).toHaveLength(80)
  })

  it('has its marks under the same groups', () => {
    expect(marks([false, true, false, false], 2, '▲')).toBe('▲')
    expect(marks([false, false, false, true], 4, '▲')).toBe('   ▲')
  })

  it('of nothing is nothing', () => {
    expect(sparkline([], 10, 0)).toBe('')
    expect(sparkline([0, 0], 10, 0)).toBe('▁▁')
  })
})
