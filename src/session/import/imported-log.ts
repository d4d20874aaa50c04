import { allLearnedFrom } from '../../engine/context/measure/calibration.ts'
import { recountedSince } from '../../engine/context/measure/reduction-sizes.ts'
import { repairDraft } from '../../engine/context/view/repair.ts'
import { viewOf } from '../../engine/context/view/view-of.ts'
import type { DecodedSession } from '../../formats/decoded-session.ts'
import type { Entry, EntryDraft } from '../../model/types.ts'
import { type KnownModels, originOf } from './origin.ts'

/**
 * The log that a session of any agent becomes, to measure or to store it. Every entry keeps its seq, because other entries
 * refer to it. After them come the repairs that a provider needs, and the origin of the session.
 */
export function importedLog(session: DecodedSession, known: KnownModels): Entry[] {
  const log = withoutGaps(withLessons(session.entries))
  const { items } = viewOf(log)
  const repair = items.isPlainlyValid ? undefined : repairDraft(items.slice(), { pending: 'allowed' })
  if (repair !== undefined) log.push(placed(log, repair))
  const origin = originOf(session, known)
  if (origin !== undefined) log.push(placed(log, { type: 'settings', origin }))
  return log
}

/** Adds to compactions of other agents the calibration learned before them. Ours store it too, because the span leaves the view. */
export function withLessons(entries: readonly Entry[]): Entry[] {
  const log: Entry[] = []
  for (const entry of entries) {
    if (entry.type !== 'compaction' || entry.learned !== undefined) log.push(entry)
    else {
      const [learned, recounted] = [allLearnedFrom(log), recountedSince(log)]
      log.push({ ...entry, learned, ...(recounted.length === 0 ? {} : { recounted }) })
    }
  }
  return log
}

/** Fills gaps in the file with settings that set nothing, so that every entry keeps its seq. */
export function withoutGaps(entries: readonly Entry[], after = 0): Entry[] {
  const whole: Entry[] = []
  for (const entry of entries) {
    while (after + whole.length + 1 < entry.seq) {
      const seq = after + whole.length + 1
      whole.push({ id: `e${seq}`, seq, at: entry.at, type: 'settings' })
    }
    whole.push(entry)
  }
  return whole
}

function placed(log: readonly Entry[], draft: EntryDraft): Entry {
  const { seq = 0, at = 0 } = log.at(-1) ?? {}
  return { ...draft, id: `e${seq + 1}`, seq: seq + 1, at }
}
