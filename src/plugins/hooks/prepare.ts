import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataFolder } from '../../config/places/folders.ts'
import { UNREADABLE_SUMMARY } from '../../formats/codex/read.ts'
import { decodeText } from '../../formats/decode.ts'
import type { Entry } from '../../model/entry.ts'
import { additionTo } from '../../study/addition/addition.ts'
import { type CheckedSummary, lastSummary, summaryOf } from '../../study/addition/checked-summary.ts'
import { HookFiles, logFault, type PreparedAddition } from './hook-files.ts'

/** Checks the last summary of a session and leaves the addition for the next hook: `prepare.mjs SESSION`, in the background. */

/** Claude Code writes the summary into its file some moments after it has told the hook. */
const TRIES = 6
const PAUSE_MS = 200

const [, , session = ''] = process.argv
const data = dataFolder()
const files = new HookFiles(data, session)
try {
  const job = files.job()
  if (job !== undefined) files.finish(job, await checked(job.transcript, job.summary))
} catch (error) {
  files.end()
  logFault(data, 'prepare', error)
}

async function checked(transcript: string, summary: string) {
  for (let tries = 0; ; tries++) {
    const last = tries === TRIES
    const prepared = preparedAddition(readFileSync(transcript, 'utf8'), summary, { isLast: last })
    if (prepared !== undefined) return prepared
    await sleep(PAUSE_MS)
  }
}

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
  return { text: addition?.text, tokens: addition?.tokens ?? 0, facts: addition?.included.length ?? 0 }
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
