import type { Steps } from '../../../model/steps.ts'
import type { CompactPlan } from '../../plan/plan-shape.ts'
import { partsOfLines, textOfParts } from '../../record/compose.ts'
import type { ValuedLine } from '../../record/lines/line.ts'
import { SECTION } from '../../record/sections/section-titles.ts'
import type { Refusal } from '../ask/accept-summary.ts'
import type { CompactState } from '../compact-state.ts'
import { type CompactionDraft, compactionDraft } from '../compaction-draft.ts'
import { floorIfOver, type RebuiltContext, rebuild } from '../rebuild.ts'
import { chosenIn, linesFor } from './chosen-lines.ts'
import { recordRoom } from './record-room.ts'

/** The record shrinks by these steps until the context fits: estimates of parts do not add up exactly. */
const SCALES = [0.96, 0.85, 0.6, 0.35, 0.2, 0.1, 0.03, 0] as const

/** Makes a record without a model. Its smallest form always fits, unless the parts that cannot be compacted are too large. */
export function* digestRung(
  state: CompactState,
  plan: CompactPlan,
  /** Why no summary by a model was accepted. */
  refusal?: string,
): Steps<{ result: RebuiltContext | Refusal; draft: CompactionDraft }> {
  const lines = yield* linesFor(state, plan, true)
  const whole = chosenIn(state, plan, lines, recordRoom(state, plan))
  // A record that makes the context too large shrinks from its own size, which may be far below its room.
  const smaller = SCALES.map((scale) => () => chosenIn(state, plan, lines, Math.floor(whole.tokens * scale)))
  // Even the shortest lines may be too many. What was asked goes last.
  const bare = [lines.filter(isRequest), []].map((some) => () => chosenIn(state, plan, some, 0))
  const forms = [() => whole, ...smaller, ...bare]
  for (const [i, form] of forms.entries()) {
    const parts = partsOfLines(form().lines)
    yield
    const summary = textOfParts(parts.filter(({ narrative }) => narrative))
    const draft = compactionDraft(state, plan, { summary, parts, rung: 'digest', refusal })
    const result = yield* rebuild(state, [draft], plan.bounds)
    if (result.ok || result.refusal === 'invalid') return { result, draft }
    if (i === forms.length - 1) return { result: floorIfOver(result), draft }
  }
  throw new Error('unreachable: the last form returns')
}

/** The first and the newest request have no heading. */
function isRequest({ section, heading }: ValuedLine): boolean {
  return section === SECTION.now && heading === undefined
}
