import type { Entry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import type { ModelInfo } from '../../model/model-info.ts'
import type { Policy, PolicyPatch, Rung } from '../../model/policy.ts'
import { policyOf } from '../../model/presets.ts'
import type { Sequence } from '../../model/sequence.ts'
import type { Usage } from '../../model/usage.ts'
import type { Item } from '../../model/view.ts'
import { type Budget, budgetOf } from '../../tokens/budget.ts'
import { costOf } from '../../tokens/cost.ts'
import { itemTokens } from '../../tokens/count.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import { compact } from '../compact/compact.ts'
import { plan } from '../plan/plan.ts'
import { nextEntry } from '../view/log.ts'
import { extendView, viewOf } from '../view/view-of.ts'
import { type MeasuredLog, measureLog } from './measured-log.ts'
import { PromptCache } from './prompt-cache.ts'
import { summaryCall } from './summary-call.ts'

/** One request as it would have been. `input` contains what was read from the cache and what was written to it. */
export type ReplayedRequest = {
  /** The answer's entry in the log that is replayed. */
  readonly seq: Seq
  readonly at: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  /** In US dollars; absent where the prices are not known. */
  readonly cost?: number
  /** Why the provider had nothing or less in its cache than it was sent before. */
  readonly lost?: 'expired' | 'broken'
  /** The compaction right before the request. */
  readonly compacted?: ReplayedCompaction
}

export type ReplayedCompaction = {
  readonly rung: Rung
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The summarising call; absent for a rung that asks no model. */
  readonly call?: Usage
  readonly cost?: number
}

/** A session as it would have gone under a policy. */
export type Replay = {
  readonly policy: Policy
  readonly window?: number
  readonly trigger?: number
  readonly requests: readonly ReplayedRequest[]
  /** All requests and summaries, in US dollars; absent where the prices are not known. */
  readonly cost?: number
  /** The part of the cost that summaries took. */
  readonly summaryCost?: number
}

export type ReplayInput = {
  readonly policy?: PolicyPatch
  /** Its window is the measure, its prices the price. */
  readonly model?: Partial<ModelInfo>
  /** The model that writes the summaries, if it is another one. */
  readonly summaryModel?: Partial<ModelInfo>
  /** How long the provider keeps what nobody asks for. */
  readonly cacheLifetimeMs?: number
  /** The same log measured before, so that many replays count it once. */
  readonly measured?: MeasuredLog
  /** Receives each request and its items, in order. */
  readonly onRequest?: (request: ReplayedRequest, items: Sequence<Item>) => void
}

const CACHE_LIFETIME_MS = 5 * 60_000

/**
 * Plays a session again under a policy: the same was said, but other parts of it were sent. A compaction makes a digest
 * here and is charged as the call to a model that it would have been. A policy that only suggests is followed by its user.
 */
export async function replay(log: readonly Entry[], input: ReplayInput = {}): Promise<Replay> {
  const player = new Player(input, input.measured ?? measureLog(log, input.model))
  return player.play()
}

class Player {
  readonly #input: ReplayInput
  readonly #measured: MeasuredLog
  readonly #policy: Policy
  readonly #budget: Budget
  readonly #cache: PromptCache
  #log: Entry[] = []
  #view = viewOf([])

  constructor(input: ReplayInput, measured: MeasuredLog) {
    this.#input = input
    this.#measured = measured
    this.#policy = policyOf(input.policy)
    const { contextWindow, maxInput } = input.model ?? {}
    this.#budget = budgetOf(this.#policy, contextWindow, maxInput, measured.fixedTokens)
    this.#cache = new PromptCache(input.cacheLifetimeMs ?? CACHE_LIFETIME_MS)
  }

  async play(): Promise<Replay> {
    const requests: ReplayedRequest[] = []
    let sentAt = this.#measured.messages[0]?.at ?? 0
    for (const { message, at, seq, outputTokens } of this.#measured.messages) {
      if (message.role === 'assistant' && this.#view.items.length > 0) {
        // Some agents write down what was counted when an answer had only begun.
        const output = Math.max(outputTokens ?? 0, messageTokens(message, this.#measured.estimator))
        const compacted = await this.#compactIfDue(sentAt)
        const request = this.#ask(seq, sentAt, output, compacted)
        this.#input.onRequest?.(request, this.#view.items)
        requests.push(request)
      }
      const entry = nextEntry(this.#log, { type: 'message', message }, { clock: () => at })
      this.#log.push(entry)
      this.#view = extendView(this.#view, entry, this.#log)
      sentAt = at
    }
    return this.#result(requests)
  }

  #result(requests: readonly ReplayedRequest[]): Replay {
    const { window, trigger } = this.#budget
    const isPriced = this.#input.model?.prices !== undefined
    const summaryCost = requests.reduce((sum, { compacted }) => sum + (compacted?.cost ?? 0), 0)
    const cost = requests.reduce((sum, request) => sum + (request.cost ?? 0), summaryCost)
    return {
      policy: this.#policy,
      window,
      trigger,
      requests,
      cost: isPriced ? cost : undefined,
      summaryCost: isPriced ? summaryCost : undefined,
    }
  }

  #ask(seq: Seq, at: number, output: number, compacted: ReplayedCompaction | undefined): ReplayedRequest {
    const { items } = this.#view
    const input = this.#tokens()
    const cached = this.#cache.look(items, at)
    const cacheRead = cached.kind === 'hit' ? this.#tokens(cached.items) : 0
    const isBroken = cached.kind === 'hit' && cached.items < cached.formerItems
    const lost = cached.kind === 'expired' ? 'expired' : isBroken ? 'broken' : undefined
    this.#cache.keep(items, at)
    const usage = { inputTokens: input, outputTokens: output, cacheReadTokens: cacheRead }
    const cacheWrite = input - cacheRead
    const { prices } = this.#input.model ?? {}
    return {
      seq,
      at,
      input,
      cacheRead,
      cacheWrite,
      output,
      cost: prices && costOf({ ...usage, cacheWriteTokens: cacheWrite }, prices),
      lost,
      compacted,
    }
  }

  /** The tokens of a request with the first so many items of the view. */
  #tokens(count = this.#view.items.length): number {
    const { fixedTokens, estimator } = this.#measured
    return fixedTokens + itemTokens(this.#view.items, 0, count, estimator)
  }

  async #compactIfDue(at: number): Promise<ReplayedCompaction | undefined> {
    const reason = this.#reason()
    const cacheCold = this.#cache.look(this.#view.items, at).kind === 'expired'
    if (reason === undefined || !this.#isPlanned(reason, cacheCold)) return undefined
    const { estimator, fixed } = this.#measured
    const { policy: patch, model } = this.#input
    const before = this.#view.items
    const cached = this.#cache.look(before, at)
    const policy = { ...patch, mode: 'auto' as const, rungs: withoutModels(this.#policy) }
    const given = { log: this.#log, policy, reason, model, fixed, estimator, cacheCold }
    const result = await compact({ ...given, clock: () => at })
    if (!result.compacted || result.rung === undefined) return undefined
    this.#log = [...this.#log, ...result.entries]
    this.#view = result.view
    const { rung, tokensBefore, tokensAfter } = result
    if (rung !== 'digest') return { rung, tokensBefore, tokensAfter }
    const read = this.#policy.covers === 'everything' ? before.length : result.cut
    const call = summaryCall({
      policy: this.#policy,
      items: before.slice(0, read),
      contextTokens: tokensBefore,
      cachedTokens:
        cached.kind === 'hit' ? this.#measured.fixedTokens + itemTokens(before, 0, cached.items, estimator) : 0,
      summaryTokens: this.#budget.summary,
      estimator,
    })
    const prices = (this.#input.summaryModel ?? model)?.prices
    return { rung, tokensBefore, tokensAfter, call, cost: prices && costOf(call, prices) }
  }

  /** Why it may be time: the trigger, or that the user was told to compact and does. */
  #reason(): 'threshold' | 'manual' | undefined {
    const { mode, suggestPercent } = this.#policy
    if (mode !== 'off') return 'threshold'
    const { window } = this.#budget
    const isSuggested = suggestPercent > 0 && window !== undefined && this.#tokens() >= (window * suggestPercent) / 100
    return isSuggested ? 'manual' : undefined
  }

  #isPlanned(reason: 'threshold' | 'manual', cacheCold: boolean): boolean {
    const { estimator, fixedTokens } = this.#measured
    const decision = plan({
      view: this.#view,
      policy: { ...this.#policy, mode: 'auto' },
      budget: this.#budget,
      reason,
      tokens: this.#tokens(),
      fixed: { system: fixedTokens, tools: 0, instructions: 0, memory: 0 },
      estimator,
      cacheCold,
    })
    return decision.kind !== 'keep'
  }
}

/** The rungs that ask no model, a digest in the place of those that do. */
function withoutModels({ rungs }: Policy): Rung[] {
  const own = rungs.filter((rung) => rung !== 'warm' && rung !== 'cold')
  return own.includes('digest') ? own : [...own, 'digest']
}
