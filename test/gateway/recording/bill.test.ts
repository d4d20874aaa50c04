import { describe, expect, test } from 'vitest'
import {
  type Bill,
  billText,
  billTotals,
  type Charge,
  joinedBills,
  withCharge,
} from '../../../src/gateway/recording/bill.ts'

const DAY = Date.UTC(2026, 10, 18, 12)
const DAY_MS = 24 * 3_600_000
const EMPTY: Bill = { days: {} }

describe('a bill', () => {
  test('has requests, compactions, tokens, money and cache misses in one line', () => {
    const bill = billOf(
      charge({ calls: [call(80_000, 60_000, 0.4)] }),
      charge({ requests: 0, calls: [call(4_000, 0, 0.02)] }),
      charge({
        calls: [],
        compactions: 1,
        miss: { tokens: 20_000, guess: 'the tools changed', reported: 'tools_changed' },
      }),
    )

    expect(billText(billTotals(bill))).toBe(
      '2 requests, 1 compaction, 84,000 tokens (60,000 cached) and 20 of answers, $0.42, 1 cache miss, 20,000 tokens missed (the last time: the tools changed; the provider says tools_changed)',
    )
  })

  test('says which summaries failed at first, and how the compaction got its record', () => {
    const tries = [1, 2, 2, 3, 'log' as const].map((summaryTry) => charge({ compactions: 1, summaryTry }))

    expect(billText(billTotals(billOf(...tries, charge({ compactions: 1 }))))).toContain(
      ', 6 compactions (2 summaries at try 2, 1 summary at try 3, 1 record from the log), ',
    )
  })

  test('shows tokens only if no price is known, and a lower bound if some are', () => {
    expect(billText(billTotals(billOf(charge({ calls: [call(10, 0)] }))))).not.toContain('$')
    expect(billText(billTotals(billOf(charge({ calls: [call(10, 0), call(10, 0, 1.5)] }))))).toContain('≥ $1.50')
  })

  test('names the models that could not be shortened in time', () => {
    const line = billText(
      billTotals(billOf(charge({ unknownWindow: 'local/m' }), charge({ unknownWindow: 'local/m' }))),
    )

    expect(line).toMatch(/not shortened in time, because the window of local\/m is not known$/)
  })

  test('is kept by day and agent, and stays small', () => {
    const bill = joinedBills([
      billOf(charge({}), charge({ agent: 'codex' }), charge({ at: DAY + DAY_MS })),
      billOf(charge({ compactions: 1 })),
    ])
    expect(Object.keys(bill.days)).toEqual(['2026-11-18', '2026-11-19'])
    expect(bill.days['2026-11-18']).toMatchObject({ claude: { requests: 2, compactions: 1 }, codex: { requests: 1 } })

    const miss = { tokens: 1, guess: 'g' }
    const many = billOf(
      ...Array.from({ length: 400 }, (_, i) => charge({ agent: `a${i}`, at: DAY + (i % 60) * DAY_MS, miss })),
    )
    expect(Object.keys(many.days).length).toBeLessThan(40)
    const crowd = billOf(...Array.from({ length: 100 }, (_, i) => charge({ agent: `a${i}`, miss })))
    expect(Object.keys(crowd.days['2026-11-18'] ?? {}).length).toBeLessThan(30)
    expect(billTotals(crowd).misses).toBe(100)
    expect(billTotals(crowd).lastMisses.length).toBeLessThan(30)
  })
})

function billOf(...charges: Charge[]): Bill {
  return charges.reduce(withCharge, EMPTY)
}

function charge(part: Partial<Charge>): Charge {
  return { at: DAY, agent: 'claude', requests: 1, calls: [], compactions: 0, ...part }
}

function call(inputTokens: number, cacheReadTokens: number, cost?: number) {
  return { usage: { inputTokens, cacheReadTokens, outputTokens: 10 }, cost }
}
