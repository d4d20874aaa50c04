import type { LiveSession } from '../../session/live-session.ts'
import type { SummaryReport } from '../port-data.ts'
import { safeText } from '../safe-text.ts'

/** The summary that the model sees now, if there is one. */
export function summaryReport({ view, log }: LiveSession): SummaryReport | undefined {
  const item = view.items.slice().findLast((each) => each.kind === 'summary')
  const entry = log.find((each) => each.seq === item?.seq)
  if (item?.kind !== 'summary' || entry?.type !== 'compaction') return undefined
  const { messages, reason, flagged = [] } = entry
  return { seq: item.seq, text: safeText(item.text), messages, reason, flagged }
}
