import { appended, type LogDeps } from '../../engine/context/view/log.ts'
import { repairDraft } from '../../engine/context/view/repair.ts'
import { viewOf } from '../../engine/context/view/view-of.ts'
import type { Entry } from '../../model/entry.ts'

/** Gives every call without a result one that says so, for the log of a session that nobody runs any more. */
export function answerOpenCalls(log: readonly Entry[], deps: LogDeps = {}): readonly Entry[] {
  const repair = repairDraft(viewOf(log).items.slice())
  return repair === undefined ? log : appended(log, [repair], deps)
}
