import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataFolder } from '../../config/places/folders.ts'
import { UNREADABLE_SUMMARY } from '../../formats/codex/read.ts'
import { decodeText } from '../../formats/decode.ts'
import type { Entry } from '../../model/types.ts'
import { additionTo, type CheckedSummary, lastSummary, summaryOf } from '../../study/addition/addition.ts'
import { HookFiles, logFault, type PreparedAddition } from './hook-files.ts'

/** Runs in the background as `prepare.mjs SESSION`: checks the last summary of a session and leaves the addition for the next hook. */

/** Claude Code writes the summary into its file shortly after it has run the hook, so the check tries several times. */
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
 * The addition to the summary that an agent has just written. An empty `summary` means that only the agent's file has it.
 * Undefined while the file does not have it yet. At the last try, the whole session counts as summarised, because we do not know
 * which messages stayed. A summary that we cannot read gets no addition, because we do not know what it forgot.
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

/** True when the file has this summary. The file has it without its tags and with other text around it, so its longest line is compared. */
function hasSummary(entries: readonly Entry[], summary: string): boolean {
  const at = entries.findLastIndex(({ type }) => type === 'compaction')
  const last = entries[at]
  if (last?.type !== 'compaction') return false
  // The model does not answer before the hooks have ended. So a summary that is followed by an answer is an older one.
  if (summary === '')
    return !entries.slice(at).some((entry) => entry.type === 'message' && entry.message.role === 'assistant')
  const [longest = ''] = summary
    .replace(/<analysis>[\s\S]*?<\/analysis>/g, '')
    .split(/\n|<\/?summary>/)
    .map((line) => line.trim())
    .toSorted((a, b) => b.length - a.length)
  return last.summary.includes(longest)
}
