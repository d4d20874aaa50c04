import { compact, type Entry, type ModelInfo } from '../../src/engine/index.ts'
import type { MeasuredLog } from '../../src/engine/replay/measured-log.ts'
import { PromptCache } from '../../src/engine/replay/prompt-cache.ts'
import type { ReplayedCompaction, ReplayedRequest } from '../../src/engine/replay/replay.ts'
import { appended, nextEntry } from '../../src/engine/view/log.ts'
import { extendView, viewOf } from '../../src/engine/view/view-of.ts'
import type { Sequence } from '../../src/model/sequence.ts'
import type { Usage } from '../../src/model/usage.ts'
import type { Item } from '../../src/model/view.ts'
import { costOf } from '../../src/tokens/cost.ts'
import { itemTokens } from '../../src/tokens/count.ts'
import { messageTokens } from '../../src/tokens/estimate/estimator.ts'
import type { PeerPolicy, PeerView } from './peer-policy.ts'

/** A session as it would have gone under a policy, ours or a peer's. */
export type Played = { readonly requests: readonly ReplayedRequest[]; readonly window: number }

export type PeerInput = {
  readonly peer: PeerPolicy
  readonly measured: MeasuredLog
  readonly model: Required<Pick<ModelInfo, 'contextWindow' | 'prices'>>
  readonly cacheLifetimeMs: number
  readonly onRequest?: (request: ReplayedRequest, items: Sequence<Item>) => void
}

/** What summaries have that agents wrote: 12,775 characters are the median of those that Claude Code recorded. */
const SUMMARY_CHARACTERS = 12_775
export const SUMMARY_TOKENS = 3_200

/**
 * Plays a session under a peer's policy with the same cache and the same prices as ours. All summaries are written by the
 * same hand, our digest at the size of a recorded summary, so that what differs is when and what a policy reduces.
 */
export async function playPeer(input: PeerInput): Promise<Played> {
  const player = new PeerPlayer(input)
  return player.play()
}

class PeerPlayer {
  readonly #input: PeerInput
  readonly #cache: PromptCache
  #log: Entry[] = []
  #view = viewOf([])

  constructor(input: PeerInput) {
    this.#input = input
    this.#cache = new PromptCache(input.cacheLifetimeMs)
  }

  async play(): Promise<Played> {
    const { measured, model, onRequest } = this.#input
    const requests: ReplayedRequest[] = []
    let sentAt = measured.messages[0]?.at ?? 0
    for (const { message, at, seq, outputTokens } of measured.messages) {
      if (message.role === 'assistant' && this.#view.items.length > 0) {
        const output = Math.max(outputTokens ?? 0, messageTokens(message, measured.estimator))
        const compacted = await this.#reduce(sentAt)
        const request = { ...this.#ask(sentAt, output), seq, ...(compacted === undefined ? {} : { compacted }) }
        onRequest?.(request, this.#view.items)
        requests.push(request)
      }
      const entry = nextEntry(this.#log, { type: 'message', message }, { clock: () => at })
      this.#log.push(entry)
      this.#view = extendView(this.#view, entry, this.#log)
      sentAt = at
    }
    return { requests, window: model.contextWindow }
  }

  #ask(at: number, output: number): Omit<ReplayedRequest, 'seq'> {
    const { items } = this.#view
    const input = this.#tokens()
    const cached = this.#cache.look(items, at)
    const cacheRead = cached.kind === 'hit' ? this.#tokens(cached.items) : 0
    const isBroken = cached.kind === 'hit' && cached.items < cached.formerItems
    const lost = cached.kind === 'expired' ? 'expired' : isBroken ? 'broken' : undefined
    this.#cache.keep(items, at)
    const cacheWrite = input - cacheRead
    const usage = { inputTokens: input, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite }
    const cost = costOf(usage, this.#input.model.prices)
    return { at, input, cacheRead, cacheWrite, output, cost, ...(lost === undefined ? {} : { lost }) }
  }

  #tokens(count = this.#view.items.length): number {
    const { fixedTokens, estimator } = this.#input.measured
    return fixedTokens + itemTokens(this.#view.items, 0, count, estimator)
  }

  async #reduce(at: number): Promise<ReplayedCompaction | undefined> {
    const { peer, model } = this.#input
    const tokensBefore = this.#tokens()
    const cached = this.#cache.look(this.#view.items, at)
    const reduction = peer.reduce(this.#shown(tokensBefore))
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
    const cachedTokens = cached.kind === 'hit' && mask.length === 0 ? this.#tokensOf(cached.items, tokensBefore) : 0
    const call = summary.call({ span, tokens: tokensBefore, cachedTokens, count: (items) => this.#count(items) })
    const { prices } = model
    return { rung: 'digest', tokensBefore, tokensAfter: this.#tokens(), call, cost: costOf(call, prices) }
  }

  /** Of the request before the compaction what its provider still had. */
  #tokensOf(items: number, all: number): number {
    return items === 0 ? this.#input.measured.fixedTokens : all
  }

  async #summarize(cut: number, at: number): Promise<boolean> {
    const { measured, model } = this.#input
    const keepMessages = this.#view.items.length - cut
    const result = await compact({
      log: this.#log,
      policy: {
        preset: 'agent',
        keepMessages,
        minSpanMessages: 1,
        rungs: ['digest'],
        summaryTokens: SUMMARY_TOKENS,
        indexTokens: SUMMARY_TOKENS,
      },
      recordCharacters: SUMMARY_CHARACTERS,
      reason: 'manual',
      model,
      fixed: measured.fixed,
      estimator: measured.estimator,
      clock: () => at,
    })
    if (result.compacted) this.#extend([...this.#log, ...result.entries.map(asRecord)])
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

/** The digest with its index under it, as ours: a digest alone would have less than half of what a recorded summary has. */
function asRecord(entry: Entry): Entry {
  return entry.type === 'compaction' ? { ...entry, frame: 'pith' } : entry
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
