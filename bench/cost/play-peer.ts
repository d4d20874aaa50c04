import { compactContext } from '../../src/engine/compact/compact.ts'
import { type Context, withSettings } from '../../src/engine/context/context.ts'
import { extendContext, openContext } from '../../src/engine/context/open-context.ts'
import { entryAfter } from '../../src/engine/context/view/log.ts'
import type { Items } from '../../src/model/items.ts'
import { PRESETS } from '../../src/model/policy/presets.ts'
import type { EntryDraft, Item, ModelInfo, Usage } from '../../src/model/types.ts'
import type { MeasuredLog, MeasuredMessage } from '../../src/study/replay/measured-log.ts'
import { type ReplayedCompaction, type ReplayedRequest, RequestMeter } from '../../src/study/replay/request-meter.ts'
import { messageTokens } from '../../src/tokens/estimate/estimator.ts'
import type { PeerPolicy, PeerView } from './peer-policy.ts'

/** A session as it would have gone under a policy, ours or a peer's. */
export type Played = { readonly requests: readonly ReplayedRequest[]; readonly window: number }

export type PeerInput = {
  readonly peer: PeerPolicy
  readonly measured: MeasuredLog
  readonly model: Required<Pick<ModelInfo, 'contextWindow' | 'prices'>>
  readonly cacheLifetimeMs?: number
  readonly onRequest?: (request: ReplayedRequest, items: Items) => void
}

/** The size of a summary that an agent writes: the median of those that Claude Code recorded is 12,775 characters. */
export const SUMMARY_TOKENS = 3_200

/**
 * Plays a session under a peer's policy with the same cache and the same prices as ours. All records are ours, with the
 * same room beside what is kept, so that outcomes differ only by when and what a policy reduces.
 */
export async function playPeer(input: PeerInput): Promise<Played> {
  const player = new PeerPlayer(input)
  return player.play()
}

class PeerPlayer {
  readonly #input: PeerInput
  readonly #meter: RequestMeter
  #context: Context

  constructor(input: PeerInput) {
    this.#input = input
    const { fixed, estimator } = input.measured
    this.#context = openContext([], { model: input.model, fixed, estimator })
    this.#meter = new RequestMeter(input)
  }

  async play(): Promise<Played> {
    const { measured, model, onRequest } = this.#input
    const requests: ReplayedRequest[] = []
    let at = measured.messages[0]?.at ?? 0
    for (const measuredMessage of measured.messages) {
      const { message } = measuredMessage
      if (message.role === 'assistant' && measuredMessage.isUnasked !== true && this.#context.view.items.length > 0) {
        const compacted = await this.#reduce(measuredMessage, at)
        const { sizes } = this.#context
        const request = this.#meter.ask({ sizes, answer: measuredMessage, at, compacted })
        onRequest?.(request, sizes.items)
        requests.push(request)
      }
      this.#extend({ type: 'message', message }, measuredMessage.at)
      at = measuredMessage.at
    }
    return { requests, window: model.contextWindow }
  }

  async #reduce(answer: MeasuredMessage, at: number): Promise<ReplayedCompaction | undefined> {
    const tokensBefore = this.#tokens()
    const cached = this.#meter.cachedTokens(this.#context.sizes, at, answer)
    const reduction = this.#input.peer.reduce(this.#shown(tokensBefore))
    if (reduction === undefined) return undefined
    const { mask = [], summary } = reduction
    if (mask.length > 0) {
      this.#extend({ type: 'mask', targets: [...mask], tokensBefore, tokensAfter: 0 }, at)
    }
    if (summary === undefined) return { rung: 'mask', tokensBefore, tokensAfter: this.#tokens() }
    const span = this.#context.view.items.slice(0, summary.cut)
    if (!(await this.#summarize(span.length, at))) return undefined
    for (const text of summary.keptTexts ?? []) {
      this.#extend({ type: 'message', message: { role: 'user', content: text } }, at)
    }
    const cachedTokens = mask.length === 0 ? cached : 0
    const call = summary.call({ span, tokens: tokensBefore, cachedTokens, count: (items) => this.#count(items) })
    return { rung: 'digest', tokensBefore, tokensAfter: this.#tokens(), call, cost: this.#meter.cost(call) }
  }

  #tokens(): number {
    return this.#meter.tokens(this.#context.sizes)
  }

  async #summarize(cut: number, at: number): Promise<boolean> {
    const kept = this.#context.view.items.slice(cut)
    const targetMaxTokens = Math.max(OUR_TARGET, this.#count(kept) + RECORD_ROOM)
    const keepMessages = kept.length
    const { settings } = this.#context
    const asked = withSettings(this.#context, {
      ...settings,
      policy: { preset: 'full-window', targetMaxTokens, keepMessages, minSpanMessages: 1, rungs: ['digest'] },
    })
    const { result, context } = await compactContext(asked, { reason: 'manual', clock: () => at })
    if (result.compacted) this.#context = withSettings(context, settings)
    return result.compacted
  }

  #extend(draft: EntryDraft, at: number): void {
    this.#context = extendContext(this.#context, entryAfter(this.#context.log.last, draft, { clock: () => at }))
  }

  #shown(tokens: number): PeerView {
    const { model, measured } = this.#input
    const items = this.#context.view.items.slice()
    return {
      items,
      tokens,
      window: model.contextWindow,
      fixedTokens: measured.fixedTokens,
      count: (counted) => this.#count(counted),
    }
  }

  #count(items: readonly Item[]): number {
    return items.reduce((sum, { message }) => sum + messageTokens(message, this.#input.measured.estimator), 0)
  }
}

/** The usage of a summary that is asked for after the cached request. */
export function warmCall(tokens: number, cachedTokens: number): Usage {
  const inputTokens = tokens + PROMPT_TOKENS
  const cacheReadTokens = Math.min(cachedTokens, tokens)
  return {
    inputTokens,
    outputTokens: SUMMARY_TOKENS,
    cacheReadTokens,
    cacheWriteTokens: inputTokens - cacheReadTokens,
  }
}

/** The usage of a summary that is written from the span in a request of its own. */
export function coldCall(spanTokens: number): Usage {
  return { inputTokens: spanTokens + PROMPT_TOKENS, outputTokens: SUMMARY_TOKENS }
}

const PROMPT_TOKENS = 700

const { targetMaxTokens: OUR_TARGET = 0, keepTokens: OUR_TAIL } = PRESETS.pith

/** The tokens that our target leaves beside the tail: the size of a record depends on the target. */
const RECORD_ROOM = OUR_TARGET - OUR_TAIL
