import { listedIn, mergeIndexes } from '../../../model/facts/log-index.ts'
import type { Steps } from '../../../model/steps.ts'
import type { FileFact, RecordPart } from '../../../model/types.ts'
import { filesOf } from '../../extract/files.ts'
import type { CompactPlan } from '../../plan/plan-shape.ts'
import { fileListParts, partsOfLines } from '../../record/compose.ts'
import type { CompactState } from '../compact-state.ts'
import { chosenIn, linesFor, roomBesideNarrative } from './chosen-lines.ts'
import { recordRoom } from './record-room.ts'

/** The lines of a record beside a model's narrative: the very ones that the model was shown. */
export function* attachedParts(state: CompactState, plan: CompactPlan): Steps<RecordPart[]> {
  const { policy } = state
  if (policy.frame === 'kit') return fileListParts(listedFiles(state))
  if (policy.frame !== 'pith') return []
  const lines = yield* linesFor(state, plan, false)
  return partsOfLines(chosenIn(state, plan, lines, roomBesideNarrative(state, plan)).lines)
}

/** A narrative in the room that the lines beside it leave. A longer one is shortened by paragraphs from its end. */
export function narrativeWithin(state: CompactState, plan: CompactPlan, beside: string, narrative: string): string {
  if (state.policy.frame !== 'pith') return narrative
  const { estimator } = state
  const room = recordRoom(state, plan) - estimator.text(beside)
  const paragraphs = narrative.split(/\n\s*\n/)
  while (paragraphs.length > 1 && estimator.text(paragraphs.join('\n\n')) > room) paragraphs.pop()
  return paragraphs.join('\n\n')
}

/** The files of all spans, and those of the messages after the cut. */
function listedFiles({ view }: CompactState): readonly FileFact[] {
  const items = view.items.slice()
  const earlier = items.flatMap((item) => (item.kind === 'summary' ? [{ listed: [...listedIn(item.index)] }] : []))
  return listedIn(mergeIndexes([...earlier, { listed: filesOf(items) }]))
}
