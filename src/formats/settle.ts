import { appended, type LogDeps } from '../engine/view/log.ts'
import { repairDraft } from '../engine/view/repair.ts'
import { viewOf } from '../engine/view/view.ts'
import type { Entry } from '../model/entry.ts'

/** The log of a session that nobody runs any more: calls that never got a result have one that says so. */
export function settle(log: readonly Entry[], deps: LogDeps = {}): readonly Entry[] {
  const repair = repairDraft(viewOf(log).items.slice())
  return repair === undefined ? log : appended(log, [repair], deps)
}
