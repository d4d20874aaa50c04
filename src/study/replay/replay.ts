import { compactContext } from '../../engine/compact/compact.ts'
import { type Context, withSettings } from '../../engine/context/context.ts'
import { extendContext, openContext } from '../../engine/context/open-context.ts'
import { entryAfter } from '../../engine/context/view/log.ts'
import { plan } from '../../engine/plan/plan.ts'
import type { Items } from '../../model/items.ts'
import type { Policy, PolicyPatch, Rung } from '../../model/policy/policy.ts'
import type { Entry, ModelInfo } from '../../model/types.ts'
import { type MeasuredLog, type MeasuredMessage, measureLog } from './measured-log.ts'
import { type ReplayedCompaction, type ReplayedRequest, RequestMeter, summaryCall } from './request-meter.ts'

/** A session as it would have gone under a policy. */
export type Replay = {
  readonly policy: Policy
  readonly window?: number
  readonly trigger?: number
  readonly requests: readonly ReplayedRequest[]
  /** The cost of all requests and summaries in US dollars; absent if the prices are not known. */
  readonly cost?: number
  /** The part of the cost that was for summaries. */
  readonly summaryCost?: number
}

export type ReplayInput = {
  readonly policy?: PolicyPatch
  /** The replay uses its window and its prices. */
  readonly model?: Partial<ModelInfo>
  /** The model that writes the summaries, if it is another one. */
  readonly summaryModel?: Partial<ModelInfo>
  /** How long the provider keeps an unused prompt. If absent, as long as in the replayed session. */
  readonly cacheLifetimeMs?: number
  /** The same log, measured before, so that many replays count it only once. */
  readonly measured?: MeasuredLog
  /** Receives each request and its items, in order. */
  readonly onRequest?: (request: ReplayedRequest, items: Items) => void
}

/**
 * Replays a session under a policy: the messages are the same, but other parts of them are sent. A compaction writes a digest
 * here and is charged like the model call that it would have been. If a policy only suggests, we assume that the user follows.
 */
export async function replay(log: readonly Entry[], input: ReplayInput = {}): Promise<Replay> {
  const player = new Player(input, input.measured ?? measureLog(log, input.model))
  return player.play()
}

/** A replay with its sums. */
export function replayOf(
  requests: readonly ReplayedRequest[],
  about: Pick<Replay, 'policy' | 'window' | 'trigger'>,
  isPriced: boolean,
): Replay {
  const summaryCost = requests.reduce((sum, { compacted }) => sum + (compacted?.cost ?? 0), 0)
  const cost = requests.reduce((sum, request) => sum + (request.cost ?? 0), summaryCost)
  return { ...about, requests, cost: isPriced ? cost : undefined, summaryCost: isPriced ? summaryCost : undefined }
}

class Player {
  readonly #input: ReplayInput
  readonly #measured: MeasuredLog
  readonly #meter: RequestMeter
  #context: Context

  constructor(input: ReplayInput, measured: MeasuredLog) {
    this.#input = input
    this.#measured = measured
    const { policy, model } = input
    const { fixed, estimator } = measured
    this.#context = openContext([], { policy, model, fixed, estimator })
    this.#meter = new RequestMeter({ ...input, measured })
  }

  async play(): Promise<Replay> {
    const requests: ReplayedRequest[] = []
    let at = this.#measured.messages[0]?.at ?? 0
    for (const measured of this.#measured.messages) {
      const { message } = measured
      if (message.role === 'assistant' && measured.isUnasked !== true && this.#context.view.items.length > 0) {
        const compacted = await this.#compactIfDue(measured, at)
        const { sizes } = this.#context
        const request = this.#meter.ask({ sizes, answer: measured, at, compacted })
        this.#input.onRequest?.(request, sizes.items)
        requests.push(request)
      }
      const entry = entryAfter(this.#context.log.last, { type: 'message', message }, { clock: () => measured.at })
      this.#context = extendContext(this.#context, entry)
      at = measured.at
    }
    const { policy, budget } = this.#context
    const { window, trigger } = budget
    return replayOf(requests, { policy, window, trigger }, this.#input.model?.prices !== undefined)
  }

  #tokens(): number {
    return this.#meter.tokens(this.#context.sizes)
  }

  async #compactIfDue(answer: MeasuredMessage, at: number): Promise<ReplayedCompaction | undefined> {
    const reason = this.#reason()
    const cacheCold = this.#meter.isCold(this.#context.view.items, at)
    if (reason === undefined || !this.#isPlanned(reason, cacheCold)) return undefined
    const { settings, policy, budget, sizes, estimator } = this.#context
    const cachedTokens = this.#meter.cachedTokens(sizes, at, answer)
    const patch = { ...settings.policy, mode: 'auto' as const, rungs: withoutModels(policy) }
    const context = withSettings(this.#context, { ...settings, policy: patch })
    const { result, context: after } = await compactContext(context, { reason, cacheCold, clock: () => at })
    if (!result.compacted || result.rung === undefined) return undefined
    this.#context = withSettings(after, settings)
    const { rung, tokensBefore, tokensAfter } = result
    const made = { rung, tokensBefore, tokensAfter }
    if (rung !== 'digest') return made
    const read = policy.covers === 'everything' ? sizes.items.length : result.cut
    const call = summaryCall({
      policy,
      items: sizes.items.slice(0, read),
      contextTokens: tokensBefore,
      cachedTokens,
      summaryTokens: budget.summary,
      estimator,
    })
    return { ...made, call, cost: this.#meter.cost(call, this.#input.summaryModel ?? this.#input.model) }
  }

  /** Why a compaction may be due: the trigger, or a suggestion that the user follows. */
  #reason(): 'threshold' | 'manual' | undefined {
    const { policy, budget } = this.#context
    const { mode, suggestPercent } = policy
    if (mode !== 'off') return 'threshold'
    const { window } = budget
    const isSuggested = suggestPercent > 0 && window !== undefined && this.#tokens() >= (window * suggestPercent) / 100
    return isSuggested ? 'manual' : undefined
  }

  #isPlanned(reason: 'threshold' | 'manual', cacheCold: boolean): boolean {
    const { view, policy, budget, sizes, estimator } = this.#context
    const decision = plan({
      view,
      policy: { ...policy, mode: 'auto' },
      budget,
      reason,
      tokens: this.#tokens(),
      fixed: { system: this.#measured.fixedTokens, tools: 0, instructions: 0, memory: 0 },
      estimator,
      sizes,
      cacheCold,
    })
    return decision.kind !== 'keep'
  }
}

/** The rungs that ask no model, with a digest instead of those that do. */
function withoutModels({ rungs }: Policy): Rung[] {
  const own = rungs.filter((rung) => rung !== 'warm' && rung !== 'cold')
  return own.includes('digest') ? own : [...own, 'digest']
}

/** A replay in a few numbers. */
export type ReplayTotals = {
  readonly requests: number
  readonly compactions: number
  /** Reductions that ask no model. */
  readonly masks: number
  /** Compactions and masks between two steps of one piece of work, not at an end of work. */
  readonly insideChain: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly outputTokens: number
  /** The largest and the average request. */
  readonly peak: number
  readonly mean: number
  /** Requests that found nothing in the cache because too much time had passed (`expired`), or less because the view had changed (`broken`). */
  readonly expired: number
  readonly broken: number
  /** The number of the first request that would not have fitted into the window, counted from 1. */
  readonly overflowsAt?: number
}

/** Adds up a replay. */
export function replayTotals({ requests, window }: Pick<Replay, 'requests' | 'window'>): ReplayTotals {
  const sum = (value: (request: Replay['requests'][number]) => number) =>
    requests.reduce((total, request) => total + value(request), 0)
  const inputTokens = sum(({ input }) => input)
  const over = window === undefined ? -1 : requests.findIndex(({ input }) => input > window)
  return {
    requests: requests.length,
    compactions: sum(({ compacted }) => (compacted?.call === undefined ? 0 : 1)),
    masks: sum(({ compacted }) => (compacted !== undefined && compacted.call === undefined ? 1 : 0)),
    insideChain: sum(({ compacted }) => (compacted !== undefined && compacted.end === undefined ? 1 : 0)),
    inputTokens,
    cacheReadTokens: sum(({ cacheRead }) => cacheRead),
    outputTokens: sum(({ output }) => output),
    peak: requests.reduce((most, { input }) => Math.max(most, input), 0),
    mean: requests.length === 0 ? 0 : Math.round(inputTokens / requests.length),
    expired: sum(({ lost }) => (lost === 'expired' ? 1 : 0)),
    broken: sum(({ lost }) => (lost === 'broken' ? 1 : 0)),
    overflowsAt: over === -1 ? undefined : over + 1,
  }
}
