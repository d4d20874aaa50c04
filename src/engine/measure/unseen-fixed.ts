import type { Entry } from '../../model/entry.ts'
import type { View } from '../../model/view.ts'
import { type StatusInput, status } from '../../tokens/status.ts'
import { inactiveSeqs } from '../view/activity.ts'
import { viewOf } from '../view/view-of.ts'

/**
 * The tokens of fixed parts that are not known here: what the last compaction counted beside the view, where another
 * agent did it. None before the first one.
 */
export function unseenFixedTokens(log: readonly Entry[], input: Omit<StatusInput, 'view' | 'pending'>): number {
  // A log in memory may lack messages that one needs that was undone.
  const inactive = inactiveSeqs(log)
  const at = log.findLastIndex(({ type, seq }) => (type === 'compaction' || type === 'mask') && !inactive.has(seq))
  const last = log[at]
  if (last?.type !== 'compaction' && last?.type !== 'mask') return 0
  const view = viewAfter(last, log.slice(0, at + 1))
  const counted = status({ ...input, view })
  // With a count of the provider the fixed parts are in it.
  if (counted.source === 'provider') return 0
  const estimated = status({ ...input, view: { ...view, drift: undefined } }).tokens
  return Math.max(0, Math.round(((last.tokensAfter - counted.tokens) * estimated) / Math.max(1, counted.tokens)))
}

/** Everybody who looks at a session asks for it. */
const views = new WeakMap<Entry, View>()

function viewAfter(entry: Entry, log: readonly Entry[]): View {
  const view = views.get(entry) ?? viewOf(log)
  views.set(entry, view)
  return view
}
