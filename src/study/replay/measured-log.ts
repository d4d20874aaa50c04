import { estimatorOf } from '../../engine/context/measure/estimator-of.ts'
import { changesView } from '../../engine/context/view/changes-view.ts'
import { appended } from '../../engine/context/view/log.ts'
import { repairDraft } from '../../engine/context/view/repair.ts'
import { viewOf } from '../../engine/context/view/view-of.ts'
import type { Entry } from '../../model/entry.ts'
import type { Fixed } from '../../model/fixed.ts'
import type { Seq } from '../../model/ids.ts'
import type { Message } from '../../model/message/message.ts'
import { PRESETS } from '../../model/policy/presets.ts'
import type { ModelInfo } from '../../model/provider/model-info.ts'
import { type Estimator, fixedTotal, messageTokens } from '../../tokens/estimate/estimator.ts'
import { type ProviderSizes, providerSizes } from './provider-sizes.ts'

/** A message as it was said. */
export type MeasuredMessage = {
  readonly seq: Seq
  readonly at: number
  readonly message: Message
  /** Its size by the provider's count; absent where no report tells it. */
  readonly tokens?: number
  /** The output tokens that the provider reported. */
  readonly outputTokens?: number
  /** True for an answer that no model was asked for, such as an error that the agent wrote down as one. */
  readonly isUnasked?: true
  /** The share of the request before that the provider had in its cache, as it reported; absent where no report tells it. */
  readonly cachedShare?: number
}

/** The messages of a session with their sizes, without its own compactions, so that every policy starts from the same. */
export type MeasuredLog = {
  readonly messages: readonly MeasuredMessage[]
  /** Counts like the session's model, and `fixed` as so many tokens as system prompt and tools have. */
  readonly estimator: Estimator
  readonly fixed: Fixed
  readonly fixedTokens: number
  /** What the first request found in the cache, from sessions before. */
  readonly firstCacheRead: number
  /** How long the session's cache lasted: as its provider told, else as its provider usually does. */
  readonly cacheLifetimeMs: number
  /** Answers whose request was smaller than all that had been said: the agent had left something out. */
  readonly pruned: ReadonlySet<Seq>
}

const MINUTE = 60_000

/** The two lifetimes that Anthropic's cache has. */
export const CACHE_LIFETIMES = { '5m': 5 * MINUTE, '1h': 60 * MINUTE } as const

/** How long other providers keep an unused prompt in their cache. */
const PROVIDER_LIFETIMES: Readonly<Record<string, number>> = { google: 3 * MINUTE, deepseek: 60 * MINUTE }

/** Stands for a system prompt that nobody has seen: the estimator knows what it weighs. */
const UNSEEN = '\u0000what is sent around the view'

/** Measures a log once, for any number of replays. `fixed` is what is known of what was sent around the view. */
export function measureLog(log: readonly Entry[], model: Partial<ModelInfo> = {}, fixed: Fixed = {}): MeasuredLog {
  const counted = estimatorOf(PRESETS.pith, log, model)
  const sizes = providerSizes(log, counted)
  const scaled: Estimator = { name: counted.name, text: (text) => Math.round(counted.text(text) * sizes.factor) }
  const fixedTokens = reportedAround(log, scaled) ?? fixedTotal(fixed, scaled)
  const messages = saidMessages(log, sizes)
  const first = log.find((entry) => entry.type === 'message' && entry.usage !== undefined)
  const read = first?.type === 'message' ? (first.usage?.cacheReadTokens ?? 0) : 0
  return measuredLogOf({
    messages,
    fixedTokens,
    firstCacheRead: Math.min(read, fixedTokens),
    cacheLifetimeMs: recordedLifetime(log) ?? PROVIDER_LIFETIMES[model.provider ?? ''] ?? CACHE_LIFETIMES['5m'],
    pruned: sizes.pruned,
    counted: scaled,
  })
}

type MeasuredParts = Omit<MeasuredLog, 'estimator' | 'fixed'> & { readonly counted: Estimator }

/** A measured log of messages whose sizes are known: where several are joined, or some are left out. */
export function measuredLogOf({ counted, ...parts }: MeasuredParts): MeasuredLog {
  const { messages, fixedTokens } = parts
  const estimator: Estimator = {
    name: counted.name,
    text: (text) => (text === UNSEEN ? fixedTokens : counted.text(text)),
    known: new Map(messages.map(({ message, tokens }) => [message, tokens ?? messageTokens(message, counted)])),
  }
  return { ...parts, estimator, fixed: { system: UNSEEN } }
}

/** All messages in order, those that a summary replaced too, and every call with a result: else nothing could be cut behind it. */
function saidMessages(log: readonly Entry[], { tokens, cachedShares }: ProviderSizes): MeasuredMessage[] {
  const said = log.flatMap((entry) => (entry.type === 'message' ? [entry] : []))
  const entries = new Map(said.map((entry) => [entry.seq, entry]))
  const isReported = said.some(({ usage }) => usage !== undefined)
  const stored = viewOf(said)
  const repair = repairDraft(stored.items.slice())
  const view = repair === undefined ? stored : viewOf(appended(said, [repair]))
  let at = said[0]?.at ?? 0
  return view.items.slice().map(({ seq, message }) => {
    const entry = entries.get(seq)
    at = entry?.at ?? at
    const isUnasked = isReported && message.role === 'assistant' && entry?.usage === undefined
    return {
      seq,
      at,
      message,
      tokens: tokens.get(seq),
      outputTokens: entry?.usage?.outputTokens,
      ...(isUnasked ? { isUnasked } : {}),
      cachedShare: cachedShares.get(seq),
    }
  })
}

/** The tokens of the first request beyond its messages, by the provider's count. */
function reportedAround(log: readonly Entry[], estimator: Estimator): number | undefined {
  let said = 0
  for (const entry of log) {
    if (changesView(entry)) return undefined
    if (entry.type !== 'message') continue
    const { usage } = entry
    if (usage !== undefined && usage.inputTokens > 0) return Math.max(0, usage.inputTokens - said)
    said += messageTokens(entry.message, estimator)
  }
  return undefined
}

/** An hour where most of what was written to the cache was to last so long, five minutes where none of it was. */
function recordedLifetime(log: readonly Entry[]): number | undefined {
  let hour = 0
  let all = 0
  for (const entry of log) {
    if (entry.type !== 'message') continue
    hour += entry.usage?.cacheWriteHourTokens ?? 0
    all += entry.usage?.cacheWriteTokens ?? 0
  }
  if (all === 0) return undefined
  return hour > all / 2 ? CACHE_LIFETIMES['1h'] : CACHE_LIFETIMES['5m']
}
