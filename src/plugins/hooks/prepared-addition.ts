import { type Addition, additionTo } from '../../engine/addition/addition.ts'
import { lastSummary, summaryOf } from '../../engine/addition/checked-summary.ts'
import { decodeText } from '../../formats/decode.ts'
import type { Entry } from '../../model/entry.ts'
import type { PreparedAddition } from './hook-files.ts'

/**
 * The addition to the summary that an agent has just written. Undefined while its file does not have that summary yet; the
 * last time all that was said counts as summarised, because nobody knows what stayed.
 */
export function preparedAddition(
  transcript: string,
  summary: string,
  { isLast }: { readonly isLast: boolean },
): PreparedAddition | undefined {
  const decoded = decodeText(transcript)
  if (!decoded.ok) throw new Error(decoded.text)
  const { entries } = decoded.session
  const checked = hasSummary(entries, summary)
    ? lastSummary(entries)
    : isLast
      ? summaryOf(entries, { summary, keep: [] })
      : undefined
  return checked && preparedOf(additionTo(checked))
}

function preparedOf(addition: Addition | undefined): PreparedAddition {
  return { text: addition?.text, tokens: addition?.tokens ?? 0, facts: addition?.told.length ?? 0 }
}

/** The file shows a summary without its tags, in a frame of its own: a long line of it tells. */
function hasSummary(entries: readonly Entry[], summary: string): boolean {
  const last = entries.findLast(({ type }) => type === 'compaction')
  if (last?.type !== 'compaction') return false
  const [longest = ''] = summary
    .replace(/<analysis>[\s\S]*?<\/analysis>/g, '')
    .split(/\n|<\/?summary>/)
    .map((line) => line.trim())
    .toSorted((a, b) => b.length - a.length)
  return last.summary.includes(longest)
}
