import { JOB_REPORT } from '../../model/text.ts'
import type { EntryDraft } from '../../model/types.ts'
import type { Agent } from '../agent.ts'
import type { JobReport } from '../processes/jobs.ts'
import { rawWithoutKeys, withoutKeys } from '../scrubbed-env.ts'
import { partShown } from '../shown-part.ts'

/** The most characters of the output of an ended command in the view. The log has all of it. */
const SHOWN = { head: 600, tail: 2_000 }

/** The commands in the background that ended, and those that run but are no longer named in the view, as messages that are not the user's words. */
export function jobNews({ deps, live }: Agent): {
  readonly reports: readonly JobReport[]
  readonly drafts: EntryDraft[]
} {
  const { jobs, keys = [] } = deps
  if (jobs === undefined) return { reports: [], drafts: [] }
  const reports = jobs.reports(live.session)
  const forgotten = jobs.running(live.session).filter(({ id }) => !isNamed(id, live.view))
  const news: readonly Omit<JobReport, 'stored'>[] = [
    ...reports,
    ...forgotten.map(({ id, command }) => ({
      text: `${JOB_REPORT} ${id} is still running: ${command}. The tool job reads its output and stops it.]`,
    })),
  ]
  return {
    reports,
    drafts: news.map(({ text, raw }) => draftOf(withoutKeys(text, keys), rawWithoutKeys(raw, keys))),
  }
}

function draftOf(text: string, raw: string | undefined): EntryDraft {
  const message = { role: 'user' as const, content: text }
  const more = raw === undefined ? {} : { raw }
  return { type: 'message', message, userWords: [], shown: partShown(text, SHOWN, raw), ...more }
}

/** A compaction or a mask may have taken the handle out of the view. */
function isNamed(id: string, { items }: Agent['live']['view']): boolean {
  const name = new RegExp(`\\b${id}\\b`)
  for (let i = items.length - 1; i >= 0; i--) if (name.test(JSON.stringify(items.at(i)?.message))) return true
  return false
}
