import { type EndOfWork, endOfWork } from '../../engine/plan/ends-of-work.ts'
import { serialize } from '../../engine/record/serialize.ts'
import { Items } from '../../model/items.ts'
import type { Policy, Rung } from '../../model/policy/policy.ts'
import type { Item, Seq, Usage } from '../../model/types.ts'
import { costOf } from '../../tokens/cost.ts'
import { type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import { type Sizes, tokensBetween } from '../../tokens/sizes.ts'
import { CACHE_LIFETIMES, type MeasuredLog, type MeasuredMessage } from './measured-log.ts'
import type { ReplayInput } from './replay.ts'

/** One replayed request. `input` includes the tokens that were read from the cache and written to it. */
export type ReplayedRequest = {
  /** The answer's entry in the log that is replayed. */
  readonly seq: Seq
  readonly at: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  /** In US dollars; absent if the prices are not known. */
  readonly cost?: number
  /** Why the provider's cache had nothing, or less than the previous request. */
  readonly lost?: 'expired' | 'broken'
  /** The compaction right before the request. */
  readonly compacted?: ReplayedCompaction
}

/** The compaction of a replay before a request, and its cost. */
export type ReplayedCompaction = {
  readonly rung: Rung
  /** The end of work that it was made at; absent inside a chain of calls. The meter finds it. */
  readonly end?: EndOfWork
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The summarising call; absent for a rung that asks no model. */
  readonly call?: Usage
  readonly cost?: number
}

/** The inputs that decide the price of a request, apart from its items. */
type MeterInput = Pick<ReplayInput, 'model' | 'cacheLifetimeMs'> & { readonly measured: MeasuredLog }

/** One request of a replay: the items in view, and the message that answered them. */
type AskedRequest = {
  /** The items in view, with their sizes. */
  readonly sizes: Sizes
  readonly answer: MeasuredMessage
  /** When it was sent. */
  readonly at: number
  readonly compacted?: ReplayedCompaction
  /** Tokens that were sent in addition to fixed parts and items. */
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

  /** The tokens of a request with the first `count` items of a view. */
  tokens(sizes: Sizes, count = sizes.items.length): number {
    return this.#input.measured.fixedTokens + tokensBetween(sizes, 0, count)
  }

  /** True if the cache of the last request should have expired by now. */
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
    // Some agents store the count from when an answer had only begun.
    const output = Math.max(answer.outputTokens ?? 0, messageTokens(answer.message, this.#input.measured.estimator))
    const cost = this.cost({
      inputTokens: input,
      outputTokens: output,
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
    })
    const reduced = compacted && { ...compacted, end: this.#endBefore(answer) }
    return { seq: answer.seq, at, input, cacheRead, cacheWrite, output, cost, lost, compacted: reduced }
  }

  /** The end of work before an answer, from the whole log: every policy is judged by the same ends. */
  #endBefore({ seq: before }: MeasuredMessage): EndOfWork | undefined {
    const messages = this.#input.measured.messages.filter(({ seq }) => seq < before)
    return endOfWork(
      Items.of(messages.map(({ seq, message }) => ({ kind: 'message', seq, place: seq, message, pinned: false }))),
    )
  }

  /** The price of a call with this meter's cache; undefined if the prices are not known. */
  cost(usage: Usage, { prices } = this.#input.model ?? {}): number | undefined {
    return prices && costOf(this.charged(usage), prices)
  }

  /** The usage as it is charged: tokens in a cache of an hour have a price of their own. */
  charged(usage: Usage): Usage {
    const isHour = this.#lifetimeMs >= CACHE_LIFETIMES['1h']
    return isHour ? { ...usage, cacheWriteHourTokens: usage.cacheWriteTokens } : usage
  }
}

/** A request that found less than this share of the one before was a miss. */
const MISSED_SHARE = 0.5

/** The cached part of a request: a share of the fixed parts and of this many items of the view. */
type CacheLookup =
  | { readonly kind: 'hit'; readonly items: number; readonly formerItems: number; readonly share: number }
  | { readonly kind: 'empty' | 'expired' }

/** How long a cache lasts, and how long the recorded one lasted. */
type CacheLife = {
  readonly lifetimeMs: number
  readonly seenLifetimeMs: number
  /** True if the provider caches up to marks, which agents set at the end of each request. Otherwise any shared beginning is found. */
  readonly atMarks?: boolean
}

/** A provider's prompt cache: it has the last request, from its beginning on, until it was not used for some time. */
export class PromptCache {
  readonly #life: CacheLife
  #last: { readonly items: Items; readonly at: number } | undefined
  /** The ends of the last request and of earlier ones that it starts with word for word, ascending. */
  #ends: number[] = []

  constructor(life: CacheLife) {
    this.#life = life
  }

  /** The cached part of a request at that time. `seenShare` is the share that the provider reported for it, if it did. */
  look(items: Items, at: number, seenShare?: number): CacheLookup {
    if (this.#last === undefined) return { kind: 'empty' }
    const share = this.#share(at - this.#last.at, seenShare)
    if (share === undefined) return { kind: 'expired' }
    const common = commonItems(this.#last.items, items)
    const found = this.#life.atMarks === true ? (this.#ends.findLast((end) => end <= common) ?? 0) : common
    return { kind: 'hit', items: found, formerItems: this.#last.items.length, share }
  }

  /** Stores a request that was sent: from now on the provider has it in its cache. */
  keep(items: Items, at: number): void {
    const isAlive = this.#last !== undefined && at - this.#last.at <= this.#life.lifetimeMs
    const common = this.#last === undefined || !isAlive ? 0 : commonItems(this.#last.items, items)
    while ((this.#ends.at(-1) ?? 0) > common) this.#ends.pop()
    this.#ends.push(items.length)
    this.#last = { items, at }
  }

  #share(waitedMs: number, seen: number | undefined): number | undefined {
    const { lifetimeMs, seenLifetimeMs } = this.#life
    const isExpired = waitedMs > lifetimeMs
    if (seen === undefined) return isExpired ? undefined : 1
    if (lifetimeMs === seenLifetimeMs) return seen
    // With another lifetime the clock decides: an entry that had expired in the recording may still be there.
    if (isExpired) return undefined
    return waitedMs > seenLifetimeMs ? 1 : seen
  }
}

function commonItems(a: Items, b: Items): number {
  const shorter = Math.min(a.length, b.length)
  // Lists with the same storage agree on their common prefix.
  if (a.sharesWith(b)) return shorter
  let common = 0
  while (common < shorter && a.at(common)?.message === b.at(common)?.message) common++
  return common
}

/** The length of a model's summary: the median of those that Claude Code recorded has 12,775 characters. */
const SUMMARY_TOKENS = 3_200

/** The instructions of a summarising request. */
export const PROMPT_TOKENS = 700

export type SummaryCallInput = {
  readonly policy: Policy
  /** The items that the summary is written from. */
  readonly items: readonly Item[]
  /** The tokens of the whole context, and those that the provider has cached: for a summary after the last request. */
  readonly contextTokens: number
  readonly cachedTokens: number
  /** The most tokens that the policy allows for a summary. */
  readonly summaryTokens: number
  readonly estimator: Estimator
}

/** The usage of a summarising call: after the cached request if the policy allows it, otherwise with the span as text. */
export function summaryCall(input: SummaryCallInput): Usage {
  const { policy, items, contextTokens, cachedTokens, summaryTokens, estimator } = input
  const outputTokens = Math.min(summaryTokens, SUMMARY_TOKENS)
  if (policy.rungs.includes('warm') && cachedTokens > 0) {
    const inputTokens = contextTokens + PROMPT_TOKENS
    const cacheReadTokens = Math.min(cachedTokens, contextTokens)
    return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: inputTokens - cacheReadTokens }
  }
  const { cutCharacters } = policy
  const span = items.reduce((sum, item) => sum + estimator.text(serialize(item.message, { cutCharacters })), 0)
  return { inputTokens: span + PROMPT_TOKENS, outputTokens }
}
