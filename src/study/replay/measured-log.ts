import { estimatorOf } from '../../engine/context/measure/calibration.ts'
import { changesView } from '../../engine/context/view/activity.ts'
import { appended } from '../../engine/context/view/log.ts'
import { repairDraft } from '../../engine/context/view/repair.ts'
import { viewOf } from '../../engine/context/view/view-of.ts'
import { PRESETS } from '../../model/policy/presets.ts'
import type { Entry, EntryOf, Fixed, Message, ModelInfo, Seq, Usage } from '../../model/types.ts'
import { certainTokensOf, type Estimator, fixedTotal, messageTokens } from '../../tokens/estimate/estimator.ts'

/** A message with its measured size. */
export type MeasuredMessage = {
  readonly seq: Seq
  readonly at: number
  readonly message: Message
  /** Its size by the provider's count; absent if no report shows it. */
  readonly tokens?: number
  /** The output tokens that the provider reported. */
  readonly outputTokens?: number
  /** True for an answer that no model gave, such as an error that the agent stored as an answer. */
  readonly isUnasked?: true
  /** The share of the previous request that the provider had in its cache, as it reported; absent if no report shows it. */
  readonly cachedShare?: number
}

/** The messages of a session with their sizes, without its own compactions, so that every policy starts from the same messages. */
export type MeasuredLog = {
  readonly messages: readonly MeasuredMessage[]
  /** Counts like the session's model. It counts `fixed` as the tokens of system prompt and tools. */
  readonly estimator: Estimator
  readonly fixed: Fixed
  readonly fixedTokens: number
  /** The tokens that the first request found in the cache, from earlier sessions. */
  readonly firstCacheRead: number
  /** How long the session's cache lasted: as its provider reported, or else the provider's usual time. */
  readonly cacheLifetimeMs: number
  /** Answers whose request was smaller than all messages before it: the agent had left something out. */
  readonly pruned: ReadonlySet<Seq>
}

const MINUTE = 60_000

/** The two lifetimes that Anthropic's cache has. */
export const CACHE_LIFETIMES = { '5m': 5 * MINUTE, '1h': 60 * MINUTE } as const

/** How long other providers keep an unused prompt in their cache. */
const PROVIDER_LIFETIMES: Readonly<Record<string, number>> = { google: 3 * MINUTE, deepseek: 60 * MINUTE }

/** Represents a system prompt that the log does not have. The estimator knows its size. */
const UNSEEN = '\u0000what is sent around the view'

/** Measures a log once, for any number of replays. `fixed`: the known parts that were sent around the view. */
export function measureLog(log: readonly Entry[], model: Partial<ModelInfo> = {}, fixed: Fixed = {}): MeasuredLog {
  const counted = estimatorOf(PRESETS.pith, log, model)
  const sizes = providerSizes(log, counted)
  const scaled: Estimator = { name: counted.name, text: (text) => Math.round(counted.text(text) * sizes.factor) }
  const fixedTokens = reportedAround(log, scaled) ?? fixedTotal(fixed, scaled)
  const messages = allMessages(log, sizes)
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

/** A measured log of messages with known sizes: for several joined logs, or if some messages are left out. */
export function measuredLogOf({ counted, ...parts }: MeasuredParts): MeasuredLog {
  const { messages, fixedTokens } = parts
  const estimator: Estimator = {
    name: counted.name,
    text: (text) => (text === UNSEEN ? fixedTokens : counted.text(text)),
    known: new Map(messages.map(({ message, tokens }) => [message, tokens ?? messageTokens(message, counted)])),
  }
  return { ...parts, estimator, fixed: { system: UNSEEN } }
}

/** All messages in order, including those that a summary replaced, and every call with a result: otherwise there would be no legal cut after it. */
function allMessages(log: readonly Entry[], { tokens, cachedShares }: ProviderSizes): MeasuredMessage[] {
  const messageEntries = log.flatMap((entry) => (entry.type === 'message' ? [entry] : []))
  const entries = new Map(messageEntries.map((entry) => [entry.seq, entry]))
  const isReported = messageEntries.some(({ usage }) => usage !== undefined)
  const stored = viewOf(messageEntries)
  const repair = repairDraft(stored.items.slice())
  const view = repair === undefined ? stored : viewOf(appended(messageEntries, [repair]))
  let at = messageEntries[0]?.at ?? 0
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
  let earlierTokens = 0
  for (const entry of log) {
    if (changesView(entry)) return undefined
    if (entry.type !== 'message') continue
    const { usage } = entry
    if (usage !== undefined && usage.inputTokens > 0) return Math.max(0, usage.inputTokens - earlierTokens)
    earlierTokens += messageTokens(entry.message, estimator)
  }
  return undefined
}

/** An hour if most tokens written to the cache were to last that long, otherwise five minutes. */
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

/** The provider's own counts of a log: the size of each message, and the cached part of each request. */
type ProviderSizes = {
  /** The tokens of messages, for those between two reports on one view. */
  readonly tokens: ReadonlyMap<Seq, number>
  /** For an answer, the share of the request before it that was read from the cache. */
  readonly cachedShares: ReadonlyMap<Seq, number>
  /** Answers whose request was so much smaller than the messages before it that the agent must have left something out. */
  readonly pruned: ReadonlySet<Seq>
  /** Reported tokens for one estimated token, over all messages. */
  readonly factor: number
}

/** The messages from one report on the same view to the next: an answer and the messages after it. */
type Stretch = {
  readonly usage: Usage
  readonly messages: EntryOf<'message'>[]
  /** The answer with the next report. Its request contained all of `messages`. */
  readonly next: EntryOf<'message'>
  readonly tokens: number
}

/** If a stretch has less than this share of its estimate, something that was in view before is missing. */
const LEAST_SHARE = 0.5
/** Text is not denser than this. A larger share was never in the log, such as hidden reasoning. */
const MOST_SHARE = 1.5

/** Reads the provider's counts. System prompt and tools, which are not in the log, cancel out between two reports. */
function providerSizes(log: readonly Entry[], estimator: Estimator): ProviderSizes {
  const stretches = stretchesOf(log)
  const factor = overallFactor(stretches, estimator)
  const tokens = new Map<Seq, number>()
  const pruned = new Set<Seq>()
  // Reasoning in the requests so far: many providers leave it out after the user's next message.
  let reasoning = 0
  for (const stretch of stretches) {
    if (stretch === 'view-changed') {
      reasoning = 0
      continue
    }
    const estimates = stretch.messages.map(({ message }) => messageTokens(message, estimator) * factor)
    const estimated = estimates.reduce((sum, one) => sum + one, 0)
    if (stretch.tokens < estimated * LEAST_SHARE) {
      const gone = Math.min(estimated - stretch.tokens, reasoning)
      reasoning -= gone
      for (const [i, { seq }] of stretch.messages.entries()) tokens.set(seq, Math.round(estimates[i] ?? 0))
      const last = stretch.messages.at(-1)
      if (last !== undefined) tokens.set(last.seq, Math.round((estimates.at(-1) ?? 0) - gone))
      if (estimated - gone > stretch.tokens + PRUNED_TOKENS) pruned.add(stretch.next.seq)
      continue
    }
    const hidden = hiddenTokens(stretch, estimates, estimated)
    const share = estimated === 0 ? 0 : Math.min(MOST_SHARE, (stretch.tokens - hidden) / estimated)
    let rest = stretch.tokens
    for (const [i, { seq }] of stretch.messages.entries()) {
      if (i === 0) continue
      const size = Math.round((estimates[i] ?? 0) * share)
      tokens.set(seq, size)
      rest -= size
    }
    // The answer gets the rest, including everything that is in no text.
    const [answer] = stretch.messages
    if (answer === undefined) continue
    tokens.set(answer.seq, rest)
    const certain = certainTokensOf(answer.message, estimator)
    reasoning += Math.max(0, rest - certain * factor * share)
  }
  return { tokens, cachedShares: cachedShares(log), pruned, factor }
}

/** A smaller difference does not show that an agent left results out. */
const PRUNED_TOKENS = 2_000

/** The tokens of an answer beyond its text, if its output and the next request both show them: reasoning without text. */
function hiddenTokens({ usage, tokens }: Stretch, [answer = 0]: readonly number[], estimated: number): number {
  return Math.max(0, Math.min(usage.outputTokens - answer, tokens - estimated))
}

function stretchesOf(log: readonly Entry[]): (Stretch | 'view-changed')[] {
  const stretches: (Stretch | 'view-changed')[] = []
  let open: { readonly usage: Usage; readonly messages: EntryOf<'message'>[] } | undefined
  for (const entry of log) {
    if (changesView(entry)) {
      open = undefined
      stretches.push('view-changed')
    }
    if (entry.type !== 'message') continue
    const { usage } = entry
    if (usage !== undefined && usage.inputTokens > 0) {
      if (open !== undefined)
        stretches.push({ ...open, next: entry, tokens: usage.inputTokens - open.usage.inputTokens })
      open = { usage, messages: [] }
    }
    open?.messages.push(entry)
  }
  return stretches
}

function overallFactor(stretches: readonly (Stretch | 'view-changed')[], estimator: Estimator): number {
  let reported = 0
  let estimated = 0
  for (const stretch of stretches) {
    if (stretch === 'view-changed') continue
    const estimates = stretch.messages.map(({ message }) => messageTokens(message, estimator))
    const own = estimates.reduce((sum, one) => sum + one, 0)
    const seen = stretch.tokens - hiddenTokens(stretch, estimates, own)
    if (own === 0 || seen < own * LEAST_SHARE || seen > own * MOST_SHARE) continue
    reported += seen
    estimated += own
  }
  return estimated === 0 ? 1 : reported / estimated
}

/** The share of the previous request that was still cached, as the provider reported it. A request after a change of the view does not show it. */
function cachedShares(log: readonly Entry[]): Map<Seq, number> {
  const shares = new Map<Seq, number>()
  let before: number | undefined
  for (const entry of log) {
    if (changesView(entry)) before = undefined
    if (entry.type !== 'message' || entry.usage === undefined || entry.usage.inputTokens === 0) continue
    const { inputTokens, cacheReadTokens } = entry.usage
    if (before !== undefined && cacheReadTokens !== undefined)
      shares.set(entry.seq, Math.min(1, cacheReadTokens / before))
    before = inputTokens
  }
  return shares
}
