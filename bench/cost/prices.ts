import type { Prices } from '../../src/model/model-info.ts'

/** What requests are priced with, and how long the provider keeps what nobody asks for. */
export type Pricing = { readonly name: string; readonly prices: Prices; readonly cacheLifetimeMs: number }

const MINUTE = 60_000

/** Like Claude Sonnet 4.5; what it takes above 200,000 tokens on a window of a million is dearer, and not counted here. */
export const SONNET: Pricing = {
  name: 'Sonnet-like: 3 / 15, cache 0.30 read, 3.75 written',
  prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  cacheLifetimeMs: 5 * MINUTE,
}

const GPT: Pricing = {
  name: 'GPT-5-like: 1.25 / 10, cache 0.125 read, written at the price of input',
  prices: { input: 1.25, output: 10, cacheRead: 0.125 },
  cacheLifetimeMs: 10 * MINUTE,
}

const UNCACHED: Pricing = { name: 'no caching: 3 / 15', prices: { input: 3, output: 15 }, cacheLifetimeMs: 0 }

/** US dollars for a million tokens. */
export const PRICINGS: readonly Pricing[] = [SONNET, GPT, UNCACHED]
