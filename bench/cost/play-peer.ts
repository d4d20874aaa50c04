import { appended, nextEntry } from '../../src/engine/context/view/log.ts'
import { extendView, viewOf } from '../../src/engine/context/view/view-of.ts'
import { compact, type Entry, type ModelInfo } from '../../src/engine.ts'
import { PRESETS } from '../../src/model/policy/presets.ts'
import type { Usage } from '../../src/model/provider/usage.ts'
import type { Sequence } from '../../src/model/values/sequence.ts'
import type { Item } from '../../src/model/view.ts'
import type { MeasuredLog, MeasuredMessage } from '../../src/study/replay/measured-log.ts'
import type { ReplayedCompaction, ReplayedRequest } from '../../src/study/replay/replayed-request.ts'
import { RequestMeter } from '../../src/study/replay/request-meter.ts'
import { messageTokens } from '../../src/tokens/estimate/estimator.ts'
import type { PeerPolicy, PeerView } from './peer-policy.ts'

/** A session as it would have gone under a policy, ours or a peer's. */
export type Played = { readonly requests: readonly ReplayedRequest[]; readonly window: number }

export type PeerInput = {
  readonly peer: PeerPolicy
  readonly measured: MeasuredLog
  readonly model: Required<Pick<ModelInfo, 'contextWindow' | 'prices'>>
  readonly cacheLifetimeMs?: number
  readonly onRequest?: (request: ReplayedRequest, items: Sequence<Item>) => void
}

/** What summaries take that agents wrote: 12,775 characters are the median of those that Claude Code recorded. */
export const SUMMARY_TOKENS = 3_200

/**
 * Plays a session under a peer's policy with the same cache and the same prices as ours. All records are ours, with the
 * same room beside what is kept, so that what differs is when and what a policy reduces.
 */
export async function playPeer(input: PeerInput): Promise<Played> {
  const player = new PeerPlayer(input)
  return player.play()
}

class PeerPlayer {
  readonly #input: PeerInput
  readonly #meter: RequestMeter
  #log: Entry[] = []
  #view = viewOf([])

  constructor(input: PeerInput) {
    this.#input = input
    this.#meter = new RequestMeter(input)
  }

  async play(): Promise<Played> {
    const { measured, model, onRequest } = this.#input
    const requests: ReplayedRequest[] = []
    let at = measured.messages[0]?.at ?? 0
    for (const said of measured.messages) {
      const { message } = said
      if (message.role === 'assistant' && said.isUnasked !== true && this.#view.items.length > 0) {
        const compacted = await this.#reduce(said, at)
        const { items } = this.#view
        const request = this.#meter.ask({ items, answer: said, at, compacted })
        onRequest?.(request, items)
        requests.push(request)
      }
      const entry = nextEntry(this.#log, { type: 'message', message }, { clock: () => said.at })
      this.#log.push(entry)
      this.#view = extendView(this.#view, entry, this.#log)
      at = said.at
    }
    return { requests, window: model.contextWindow }
  }

  async #reduce(answer: MeasuredMessage, at: number): Promise<ReplayedCompaction | undefined> {
    const tokensBefore = this.#tokens()
    const cached = this.#meter.cachedTokens(this.#view.items, at, answer)
    const reduction = this.#input.peer.reduce(this.#shown(tokensBefore))
    if (reduction === undefined) return undefined
    const { mask = [], summary } = reduction
    if (mask.length > 0) {
      const draft = { type: 'mask' as const, targets: [...mask], tokensBefore, tokensAfter: 0 }
      this.#extend(appended(this.#log, [draft], { clock: () => at }))
    }
    if (summary === undefined) return { rung: 'mask', tokensBefore, tokensAfter: this.#tokens() }
    const span = this.#view.items.slice(0, summary.cut)
    if (!(await this.#summarize(span.length, at))) return undefined
    for (const text of summary.keptTexts ?? []) {
      const message = { role: 'user' as const, content: text }
      this.#extend(appended(this.#log, [{ type: 'message', message }], { clock: () => at }))
    }
    const cachedTokens = mask.length === 0 ? cached : 0
    const call = summary.call({ span, tokens: tokensBefore, cachedTokens, count: (items) => this.#count(items) })
    return { rung: 'digest', tokensBefore, tokensAfter: this.#tokens(), call, cost: this.#meter.cost(call) }
  }

  #tokens(): number {
    return this.#meter.tokens(this.#view.items)
  }

  async #summarize(cut: number, at: number): Promise<boolean> {
    const { measured, model } = this.#input
    const kept = this.#view.items.slice(cut)
    const targetMaxTokens = Math.max(OUR_TARGET, this.#count(kept) + RECORD_ROOM)
    const keepMessages = kept.length
    const result = await compact({
      log: this.#log,
      policy: { preset: 'full-window', targetMaxTokens, keepMessages, minSpanMessages: 1, rungs: ['digest'] },
      reason: 'manual',
      model,
      fixed: measured.fixed,
      estimator: measured.estimator,
      clock: () => at,
    })
    if (result.compacted) this.#extend([...this.#log, ...result.entries])
    return result.compacted
  }

  #extend(log: Entry[]): void {
    this.#log = log
    this.#view = viewOf(log)
  }

  #shown(tokens: number): PeerView {
    const { model, measured } = this.#input
    const items = this.#view.items.slice()
    return {
      items,
      tokens,
      window: model.contextWindow,
      fixedTokens: measured.fixedTokens,
      count: (some) => this.#count(some),
    }
  }

  #count(items: readonly Item[]): number {
    return items.reduce((sum, { message }) => sum + messageTokens(message, this.#input.measured.estimator), 0)
  }
}

/** What a summary costs that is asked for behind the cached request. */
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

/** What a summary costs that is written from the span in a request of its own. */
export function coldCall(spanTokens: number): Usage {
  return { inputTokens: spanTokens + PROMPT_TOKENS, outputTokens: SUMMARY_TOKENS }
}

const PROMPT_TOKENS = 700

const { targetMaxTokens: OUR_TARGET = 0, keepTokens: OUR_TAIL } = PRESETS.pith

/** What our target leaves beside the tail. The size of a record goes by the target. */
const RECORD_ROOM = OUR_TARGET - OUR_TAIL
