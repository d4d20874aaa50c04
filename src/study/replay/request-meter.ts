import type { Items } from '../../model/items.ts'
import type { ModelInfo } from '../../model/provider/model-info.ts'
import type { Usage } from '../../model/provider/usage.ts'
import { costOf } from '../../tokens/cost.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import { type Sizes, tokensBetween } from '../../tokens/sizes.ts'
import { CACHE_LIFETIMES, type MeasuredLog, type MeasuredMessage } from './measured-log.ts'
import { PromptCache } from './prompt-cache.ts'
import type { ReplayedCompaction, ReplayedRequest } from './replayed-request.ts'

/** What decides the price of a request beside its items. */
export type MeterInput = {
  readonly measured: MeasuredLog
  readonly model?: Partial<ModelInfo>
  /** How long the provider keeps what nobody asks for. Absent: as long as in the session that is replayed. */
  readonly cacheLifetimeMs?: number
}

/** One request of a replay: the items in view, and the message that answered them. */
export type AskedRequest = {
  /** The items in view, with their sizes. */
  readonly sizes: Sizes
  readonly answer: MeasuredMessage
  /** When it was sent. */
  readonly at: number
  readonly compacted?: ReplayedCompaction
  /** Tokens that were sent beside fixed parts and items. */
  readonly asideTokens?: number
}

/** Counts and prices the requests of a replay, one after the other, with the provider's cache between them. */
export class RequestMeter {
  readonly #input: MeterInput
  readonly #cache: PromptCache
  readonly #lifetimeMs: number

  constructor(input: MeterInput) {
    this.#input = input
    const { cacheLifetimeMs: seenLifetimeMs } = input.measured
    this.#lifetimeMs = input.cacheLifetimeMs ?? seenLifetimeMs
    // Providers that charge for writes cache at marks.
    const atMarks = input.model?.prices?.cacheWrite !== undefined
    this.#cache = new PromptCache({ lifetimeMs: this.#lifetimeMs, seenLifetimeMs, atMarks })
  }

  /** The tokens of a request with the first so many items of a view. */
  tokens(sizes: Sizes, count = sizes.items.length): number {
    return this.#input.measured.fixedTokens + tokensBetween(sizes, 0, count)
  }

  /** True when so much time has passed since the last request that its cache should have expired. */
  isCold(items: Items, at: number): boolean {
    return this.#cache.look(items, at).kind === 'expired'
  }

  /** The tokens of a request that the provider would find in its cache. */
  cachedTokens(sizes: Sizes, at: number, answer: MeasuredMessage): number {
    const { firstCacheRead } = this.#input.measured
    const cached = this.#cache.look(sizes.items, at, answer.cachedShare)
    if (cached.kind === 'empty') return firstCacheRead
    return cached.kind === 'hit' ? Math.round(this.tokens(sizes, cached.items) * cached.share) : 0
  }

  ask({ sizes, answer, at, compacted, asideTokens = 0 }: AskedRequest): ReplayedRequest {
    const { items } = sizes
    const input = Math.max(0, this.tokens(sizes) + asideTokens)
    const cached = this.#cache.look(items, at, answer.cachedShare)
    const aside = cached.kind === 'hit' && cached.items === cached.formerItems ? asideTokens * cached.share : 0
    const cacheRead = Math.max(0, Math.min(input, Math.round(this.cachedTokens(sizes, at, answer) + aside)))
    const isBroken = cached.kind === 'hit' && cached.items < cached.formerItems
    const isExpired = cached.kind === 'expired' || (cached.kind === 'hit' && cached.share < MISSED_SHARE)
    const lost = isExpired ? 'expired' : isBroken ? 'broken' : undefined
    this.#cache.keep(items, at)
    const cacheWrite = input - cacheRead
    // Some agents write down what was counted when an answer had only begun.
    const output = Math.max(answer.outputTokens ?? 0, messageTokens(answer.message, this.#input.measured.estimator))
    const cost = this.cost({
      inputTokens: input,
      outputTokens: output,
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
    })
    return { seq: answer.seq, at, input, cacheRead, cacheWrite, output, cost, lost, compacted }
  }

  /** The price of a call with this meter's cache; absent where the prices are not known. */
  cost(usage: Usage, { prices } = this.#input.model ?? {}): number | undefined {
    const isHour = this.#lifetimeMs >= CACHE_LIFETIMES['1h']
    return prices && costOf(isHour ? { ...usage, cacheWriteHourTokens: usage.cacheWriteTokens } : usage, prices)
  }
}

/** A request that found less than this share of the one before was a miss. */
const MISSED_SHARE = 0.5
