import type { RequestRecord } from './record.ts'

/** US dollars for a million tokens. */
export const BILLED_PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }

/** The bill of a provider for all that it sent, in US dollars. */
export function billed(requests: readonly Pick<RequestRecord, 'usage'>[]): number {
  return requests.reduce((sum, { usage }) => {
    if (usage === undefined) return sum
    const { input, cacheRead, cacheWrite, output } = usage
    const prices = BILLED_PRICES
    const fresh = (input - cacheRead - cacheWrite) * prices.input
    const cached = cacheRead * prices.cacheRead + cacheWrite * prices.cacheWrite
    return sum + (fresh + cached + output * prices.output) / 1_000_000
  }, 0)
}
