import { describe, expect, it } from 'vitest'
import { areHandles, hasSeq, missingText, readHandles } from '../../src/search/handles.ts'

describe('handles', () => {
  it.each([
    ['#12', [[12, 12]]],
    [
      ' 12, #13\t14 ',
      [
        [12, 12],
        [13, 13],
        [14, 14],
      ],
    ],
    ['#12-#20', [[12, 20]]],
    [' 12 – #20 ', [[12, 20]]],
    ['12 .. 20', [[12, 20]]],
    [
      '#12, #15-#20, 31',
      [
        [12, 12],
        [15, 20],
        [31, 31],
      ],
    ],
    [
      '#12 and #15-18;20',
      [
        [12, 12],
        [15, 18],
        [20, 20],
      ],
    ],
    ['#20-#12', [[12, 20]]],
  ])('are read as people write them: %j', (what, ranges) => {
    expect(readHandles(what).map(({ from, upTo }) => [from, upTo])).toEqual(ranges)
  })

  it.each([
    ['', '``'],
    ['#12 or 13', '`or`'],
    ['#12-', '`#12-`'],
    ['x12-20', '`x12-20`'],
  ])('%j is refused, and the user reads what to write', (what, quoted) => {
    expect(() => readHandles(what)).toThrow(`${quoted} is not a handle: write #12, or #12-#20 for a range`)
  })

  it('differ from a text that is searched for by their number sign', () => {
    expect(['#12', '#12, 15-20', ' #3 and 4 '].map(areHandles)).toEqual([true, true, true])
    expect(['12', 'error #12', '#', '', '404 500'].map(areHandles)).toEqual([false, false, false, false, false])
  })

  it('with a mistake in them are not searched for, so that the user reads what to write', () => {
    expect(['#12-', '#12, #15-', '#1.5', '##12'].map(areHandles)).toEqual([true, true, true, true])
    expect(['#', '-', '12-', '#12-x'].map(areHandles)).toEqual([false, false, false, false])
  })

  it('that no entry has are named in one line', () => {
    const entries = [{ seq: 12 }, { seq: 20 }]
    expect(missingText('#12, #13, #15-#20, 31-40', entries)).toEqual(['There is no entry #13, #31-#40.'])
    expect(missingText('#1-#20', entries)).toEqual([])
  })

  it('name the entries inside of their bounds', () => {
    const ranges = readHandles('#3, 5-6')
    expect([2, 3, 4, 5, 6, 7].filter((seq) => hasSeq(ranges, seq))).toEqual([3, 5, 6])
  })
})
