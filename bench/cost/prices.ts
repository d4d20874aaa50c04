import type { Prices } from '../../src/model/types.ts'
import { CACHE_LIFETIMES } from '../../src/study/replay/measured-log.ts'

/** Prices, and how long an unused cache lasts. Without `cacheLifetimeMs` it lasts as long as each session recorded. */
export type Pricing = { readonly name: string; readonly prices: Prices; readonly cacheLifetimeMs?: number }

/** Like Claude Sonnet 4.5. Its higher price above 200,000 tokens on a window of a million is not counted here. */
export const SONNET: Pricing = {
  name: 'Sonnet-like: 3 / 15, cache 0.30 read, 3.75 written (6 for an hour), lifetime and misses as recorded',
  prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
}

export const FIVE_MINUTES: Pricing = {
  ...SONNET,
  name: 'Sonnet-like, all caches of five minutes',
  cacheLifetimeMs: CACHE_LIFETIMES['5m'],
}

const HOUR: Pricing = { ...SONNET, name: 'Sonnet-like, all caches of an hour', cacheLifetimeMs: CACHE_LIFETIMES['1h'] }

export const GPT: Pricing = {
  name: 'GPT-5-like: 1.25 / 10, cache 0.125 read, written at the price of input',
  prices: { input: 1.25, output: 10, cacheRead: 0.125 },
}

/** US dollars for a million tokens; tables that name no pricing use the first. */
export const PRICINGS: readonly Pricing[] = [SONNET, FIVE_MINUTES, HOUR, GPT]
