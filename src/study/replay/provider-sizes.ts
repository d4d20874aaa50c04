import { changesView } from '../../engine/context/view/changes-view.ts'
import type { Entry, EntryOf } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import type { Usage } from '../../model/provider/usage.ts'
import { certainTokensOf, type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'

/** The provider's own counts of a log: what each message takes, and what its cache had. */
export type ProviderSizes = {
  /** The tokens of messages, for those between two reports on one view. */
  readonly tokens: ReadonlyMap<Seq, number>
  /** For an answer, the share of the request before it that was read from the cache. */
  readonly cachedShares: ReadonlyMap<Seq, number>
  /** Answers whose request was so much smaller than what had been said that the agent left something out unsaid. */
  readonly pruned: ReadonlySet<Seq>
  /** Reported tokens for one estimated token, over all messages. */
  readonly factor: number
}

/** What was said from one report on the same view to the next: an answer and what follows it. */
type Stretch = {
  readonly usage: Usage
  readonly said: EntryOf<'message'>[]
  /** The answer of the next report, which had all of `said` in its request. */
  readonly next: EntryOf<'message'>
  readonly tokens: number
}

/** A stretch that takes less than this share of its estimate lost something that was in view before. */
const LEAST_SHARE = 0.5
/** Text is not denser than this; what is more was never in the log, such as hidden reasoning. */
const MOST_SHARE = 1.5

/** Reads the provider's counts. System prompt and tools, which the log does not hold, cancel out between two reports. */
export function providerSizes(log: readonly Entry[], estimator: Estimator): ProviderSizes {
  const stretches = stretchesOf(log)
  const factor = overallFactor(stretches, estimator)
  const tokens = new Map<Seq, number>()
  const pruned = new Set<Seq>()
  // Reasoning in the requests so far: many providers leave it out when the user speaks again.
  let reasoning = 0
  for (const stretch of stretches) {
    if (stretch === 'view-changed') {
      reasoning = 0
      continue
    }
    const estimates = stretch.said.map(({ message }) => messageTokens(message, estimator) * factor)
    const estimated = estimates.reduce((sum, one) => sum + one, 0)
    if (stretch.tokens < estimated * LEAST_SHARE) {
      const gone = Math.min(estimated - stretch.tokens, reasoning)
      reasoning -= gone
      for (const [i, { seq }] of stretch.said.entries()) tokens.set(seq, Math.round(estimates[i] ?? 0))
      const last = stretch.said.at(-1)
      if (last !== undefined) tokens.set(last.seq, Math.round((estimates.at(-1) ?? 0) - gone))
      if (estimated - gone > stretch.tokens + PRUNED_TOKENS) pruned.add(stretch.next.seq)
      continue
    }
    const hidden = hiddenTokens(stretch, estimates, estimated)
    const share = estimated === 0 ? 0 : Math.min(MOST_SHARE, (stretch.tokens - hidden) / estimated)
    let rest = stretch.tokens
    for (const [i, { seq }] of stretch.said.entries()) {
      if (i === 0) continue
      const size = Math.round((estimates[i] ?? 0) * share)
      tokens.set(seq, size)
      rest -= size
    }
    // The answer takes what is left, with all of it that is in no text.
    const [answer] = stretch.said
    if (answer === undefined) continue
    tokens.set(answer.seq, rest)
    const certain = certainTokensOf(answer.message, estimator)
    reasoning += Math.max(0, rest - certain * factor * share)
  }
  return { tokens, cachedShares: cachedShares(log), pruned, factor }
}

/** Less than this is no sign that an agent left results out. */
const PRUNED_TOKENS = 2_000

/** What an answer took beyond its text, as far as its output and the next request both say so: reasoning without text. */
function hiddenTokens({ usage, tokens }: Stretch, [answer = 0]: readonly number[], estimated: number): number {
  return Math.max(0, Math.min(usage.outputTokens - answer, tokens - estimated))
}

function stretchesOf(log: readonly Entry[]): (Stretch | 'view-changed')[] {
  const stretches: (Stretch | 'view-changed')[] = []
  let open: { readonly usage: Usage; readonly said: EntryOf<'message'>[] } | undefined
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
      open = { usage, said: [] }
    }
    open?.said.push(entry)
  }
  return stretches
}

function overallFactor(stretches: readonly (Stretch | 'view-changed')[], estimator: Estimator): number {
  let reported = 0
  let estimated = 0
  for (const stretch of stretches) {
    if (stretch === 'view-changed') continue
    const estimates = stretch.said.map(({ message }) => messageTokens(message, estimator))
    const own = estimates.reduce((sum, one) => sum + one, 0)
    const seen = stretch.tokens - hiddenTokens(stretch, estimates, own)
    if (own === 0 || seen < own * LEAST_SHARE || seen > own * MOST_SHARE) continue
    reported += seen
    estimated += own
  }
  return estimated === 0 ? 1 : reported / estimated
}

/** How much of the request before was still cached, as the provider reported it. A request after a change of the view does not tell. */
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
