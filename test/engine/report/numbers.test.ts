import { describe, expect, it } from 'vitest'
import {
  bytes,
  count,
  counted,
  dollars,
  ifKnown,
  percentOf,
  rate,
  short,
  spentText,
} from '../../../src/engine/report/numbers.ts'

describe('numbers', () => {
  it('have separators, and are rounded to whole ones', () => {
    expect([count(0), count(999), count(142_310), count(12.6)]).toEqual(['0', '999', '142,310', '13'])
  })

  it('agree with their noun', () => {
    expect([counted(0, 'message'), counted(1, 'message'), counted(1_234, 'message')]).toEqual([
      '0 messages',
      '1 message',
      '1,234 messages',
    ])
    expect([counted(1, 'entry'), counted(2, 'entry')]).toEqual(['1 entry', '2 entries'])
  })

  it('are short if there is little room', () => {
    expect([short(999), short(1_500), short(20_480), short(1_000_000), short(1_048_576)]).toEqual([
      '999',
      '1.5k',
      '20.5k',
      '1M',
      '1.05M',
    ])
  })

  it('of costs say if a price is not known', () => {
    const spent = [
      { calls: 0, cost: 0, unpriced: 0 },
      { calls: 2, cost: 1.2, unpriced: 0 },
      { calls: 2, cost: 1.2, unpriced: 1 },
      { calls: 2, cost: 0, unpriced: 2 },
    ]
    expect(spent.map(spentText)).toEqual(['–', '$1.20', '≥ $1.20', '?'])
  })

  it('of dollars have cents, and more digits only if cents say too little', () => {
    const values = [0, 0.00001, 0.0042, 0.0149, 0.05, 0.09999, 0.1, 0.425, 1.5, 12]
    expect(values.map(dollars)).toEqual([
      '$0.00',
      '<$0.0001',
      '$0.0042',
      '$0.0149',
      '$0.05',
      '$0.10',
      '$0.10',
      '$0.42',
      '$1.50',
      '$12.00',
    ])
  })

  it('of a price list keep all their digits', () => {
    expect([rate(3), rate(0.125), rate(0.0375), rate(1_200)]).toEqual(['$3.00', '$0.125', '$0.0375', '$1,200.00'])
  })

  it('that are not known are question marks', () => {
    expect([ifKnown(undefined, count), ifKnown(0, count), percentOf(1, undefined), percentOf(1, 0)]).toEqual([
      '?',
      '0',
      '?',
      '?',
    ])
    expect([percentOf(888, 1_000), percentOf(1, 3, 2), percentOf(1, 2, 0)]).toEqual(['88.8%', '33.33%', '50%'])
  })

  it('of bytes have the unit that fits', () => {
    expect([bytes(1), bytes(512), bytes(3_100), bytes(2_500_000), bytes(120_400_000)]).toEqual([
      '1 byte',
      '512 bytes',
      '3.1 kB',
      '2.5 MB',
      '120 MB',
    ])
  })
})
