import { UNREADABLE_SUMMARY } from '../../formats/codex/read.ts'
import { decodeText } from '../../formats/decode.ts'
import type { Entry } from '../../model/entry.ts'
import { additionTo } from '../../study/addition/addition.ts'
import { type CheckedSummary, lastSummary, summaryOf } from '../../study/addition/checked-summary.ts'
import type { PreparedAddition } from './hook-files.ts'

/**
 * The addition to the summary that an agent has just written; an empty summary means that only the agent's file has it.
 * Undefined while the file does not have it yet; the last time all that was said counts as summarised, because nobody knows
 * what stayed. A summary that nobody can read is not added to: nobody knows what it forgot.
 */
export function preparedAddition(
  transcript: string,
  summary: string,
  { isLast }: { readonly isLast: boolean },
): PreparedAddition | undefined {
  const decoded = decodeText(transcript)
  if (!decoded.ok) throw new Error(decoded.text)
  const { entries } = decoded.session
  if (hasSummary(entries, summary)) return preparedOf(lastSummary(entries))
  if (!isLast) return undefined
  return preparedOf(summary === '' ? undefined : summaryOf(entries, { summary, keep: [] }))
}

function preparedOf(checked: CheckedSummary | undefined): PreparedAddition {
  const isReadable = checked !== undefined && !checked.shown.startsWith(UNREADABLE_SUMMARY)
  const addition = isReadable ? additionTo(checked) : undefined
  return { text: addition?.text, tokens: addition?.tokens ?? 0, facts: addition?.told.length ?? 0 }
}

/** The file shows a summary without its tags, in a frame of its own: a long line of it tells. */
function hasSummary(entries: readonly Entry[], summary: string): boolean {
  const at = entries.findLastIndex(({ type }) => type === 'compaction')
  const last = entries[at]
  if (last?.type !== 'compaction') return false
  // Its model says nothing before the hooks have ended, so behind an older summary there is an answer.
  if (summary === '')
    return !entries.slice(at).some((entry) => entry.type === 'message' && entry.message.role === 'assistant')
  const [longest = ''] = summary
    .replace(/<analysis>[\s\S]*?<\/analysis>/g, '')
    .split(/\n|<\/?summary>/)
    .map((line) => line.trim())
    .toSorted((a, b) => b.length - a.length)
  return last.summary.includes(longest)
}
