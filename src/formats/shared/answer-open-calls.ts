import { appended, type LogDeps } from '../../engine/context/view/log.ts'
import type { FoldedLog } from '../../engine/context/view/made.ts'
import { repairDraft } from '../../engine/context/view/repair.ts'
import { foldLog } from '../../engine/context/view/view-of.ts'
import type { Entry } from '../../model/types.ts'

/** Gives every call without a result one that says so, for the log of a session that has ended. */
export function answerOpenCalls(log: readonly Entry[], deps: LogDeps = {}): readonly Entry[] {
  return answeredLog(log, deps).log
}

/** The same, together with the folded log, so that no record is rendered twice. */
export function answeredLog(log: readonly Entry[], deps: LogDeps = {}): FoldedLog & { readonly log: readonly Entry[] } {
  const folded = foldLog(log)
  const repair = repairDraft(folded.view.items.slice())
  if (repair === undefined) return { log, ...folded }
  const whole = appended(log, [repair], deps)
  return { log: whole, ...foldLog(whole, folded.made) }
}
