import { compact } from '../../engine/compact/compact.ts'
import { nextEntry } from '../../engine/context/view/log.ts'
import { extendView, viewOf } from '../../engine/context/view/view-of.ts'
import { plan } from '../../engine/plan/plan.ts'
import type { Entry } from '../../model/entry.ts'
import type { Policy, PolicyPatch, Rung } from '../../model/policy/policy.ts'
import { policyOf } from '../../model/policy/presets.ts'
import type { ModelInfo } from '../../model/provider/model-info.ts'
import type { Sequence } from '../../model/values/sequence.ts'
import type { Item } from '../../model/view.ts'
import { type Budget, budgetOf } from '../../tokens/budget.ts'
import { type MeasuredLog, type MeasuredMessage, measureLog } from './measured-log.ts'
import type { ReplayedCompaction, ReplayedRequest } from './replayed-request.ts'
import { RequestMeter } from './request-meter.ts'
import { summaryCall } from './summary-call.ts'

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
  /** How long the provider keeps what nobody asks for. Absent: as long as in the session that is replayed. */
  readonly cacheLifetimeMs?: number
  /** The same log measured before, so that many replays count it once. */
  readonly measured?: MeasuredLog
  /** Receives each request and its items, in order. */
  readonly onRequest?: (request: ReplayedRequest, items: Sequence<Item>) => void
}

/**
 * Plays a session again under a policy: the same was said, but other parts of it were sent. A compaction makes a digest
 * here and is charged as the call to a model that it would have been. A policy that only suggests is followed by its user.
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
  readonly #policy: Policy
  readonly #budget: Budget
  readonly #meter: RequestMeter
  #log: Entry[] = []
  #view = viewOf([])

  constructor(input: ReplayInput, measured: MeasuredLog) {
    this.#input = input
    this.#measured = measured
    this.#policy = policyOf(input.policy)
    const { contextWindow, maxInput } = input.model ?? {}
    this.#budget = budgetOf(this.#policy, contextWindow, maxInput, measured.fixedTokens)
    this.#meter = new RequestMeter({ ...input, measured })
  }

  async play(): Promise<Replay> {
    const requests: ReplayedRequest[] = []
    let at = this.#measured.messages[0]?.at ?? 0
    for (const said of this.#measured.messages) {
      const { message } = said
      if (message.role === 'assistant' && said.isUnasked !== true && this.#view.items.length > 0) {
        const compacted = await this.#compactIfDue(said, at)
        const { items } = this.#view
        const request = this.#meter.ask({ items, answer: said, at, compacted })
        this.#input.onRequest?.(request, items)
        requests.push(request)
      }
      const entry = nextEntry(this.#log, { type: 'message', message }, { clock: () => said.at })
      this.#log.push(entry)
      this.#view = extendView(this.#view, entry, this.#log)
      at = said.at
    }
    const { window, trigger } = this.#budget
    return replayOf(requests, { policy: this.#policy, window, trigger }, this.#input.model?.prices !== undefined)
  }

  #tokens(): number {
    return this.#meter.tokens(this.#view.items)
  }

  async #compactIfDue(answer: MeasuredMessage, at: number): Promise<ReplayedCompaction | undefined> {
    const reason = this.#reason()
    const cacheCold = this.#meter.isCold(this.#view.items, at)
    if (reason === undefined || !this.#isPlanned(reason, cacheCold)) return undefined
    const { estimator, fixed } = this.#measured
    const { policy: patch, model } = this.#input
    const before = this.#view.items
    const cachedTokens = this.#meter.cachedTokens(before, at, answer)
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
      cachedTokens,
      summaryTokens: this.#budget.summary,
      estimator,
    })
    return { rung, tokensBefore, tokensAfter, call, cost: this.#meter.cost(call, this.#input.summaryModel ?? model) }
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
