import type { Rung } from '../../model/policy/policy.ts'
import type { EntryOf, RecordPart } from '../../model/types.ts'
import { sumOfFixed } from '../../tokens/estimate/estimator.ts'
import { tokensKnown } from '../../tokens/sizes.ts'
import { allLearned } from '../context/measure/calibration.ts'
import { replacedMessageCount } from '../context/view/replaced-range.ts'
import { boundedFacts, STORED_CHARACTERS } from '../extract/bounded-facts.ts'
import { filesOf } from '../extract/files.ts'
import { keptItems } from '../plan/kept-items.ts'
import type { CompactPlan } from '../plan/plan-shape.ts'
import { framedParts } from '../record/compose.ts'
import type { CompactState } from './compact-state.ts'

export type CompactionDraft = Omit<EntryOf<'compaction'>, 'id' | 'seq' | 'at'>

/** A summary with the rung and the model that wrote it, and the parts of its record inside the frame. */
export type RungSummary = Pick<CompactionDraft, 'summary' | 'model' | 'usage' | 'cost' | 'flagged' | 'refusal'> & {
  readonly rung: Rung
  readonly parts: readonly RecordPart[]
}

/** The entry that replaces a span with a summary. It names the range; the record is in it as the model sees it. */
export function compactionDraft(state: CompactState, plan: CompactPlan, made: RungSummary): CompactionDraft {
  const { input, policy, view, calibration } = state
  const log = state.whole.log.slice()
  const removed = state.removed(plan.cut)
  const isFirst = view.items.at(0)?.kind !== 'summary'
  const messages = messagesRemoved(state, plan.cut)
  const standsFor = replacedMessageCount(messages, removed.items, view, log)
  const focus = focusOf(made.rung === 'digest' ? (input.typedFocus ?? input.focus) : input.focus)
  const learned = allLearned(log, calibration, tokensKnown(state.whole.sizes))
  const { parts, ...others } = made
  return {
    type: 'compaction',
    ...removed.range,
    frame: policy.frame,
    parts: framedParts({ frame: policy.frame, parts, messages, standsFor, flagged: made.flagged }),
    indexDelta: {
      ...boundedFacts(removed.facts, STORED_CHARACTERS, isFirst ? plan.allowances.quoteTokens * 8 : 0),
      ...(policy.indexFacts === 'files' ? { listed: filesOf(view.items) } : {}),
    },
    messages,
    standsFor: standsFor === messages ? undefined : standsFor,
    squeezes: plan.squeezes.length === 0 ? undefined : [...plan.squeezes],
    reason: state.reason,
    ...sizesBefore(state),
    // For programs that do not know the prompt and the tools: they show the same size afterwards.
    unseenTokens: sumOfFixed(state.fixed.own) || state.whole.view.unseenTokens,
    focus,
    learned: learned.length === 0 ? undefined : learned,
    ...others,
  }
}

/** The number of the caller's messages that leave the view at a cut. A repair may have moved or dropped some, and added others. */
export function messagesRemoved({ given, whole, view, policy }: CompactState, cut: number): number {
  if (cut === 0) return 0
  const kept = keptItems(view, cut, policy)
  const { items } = given.view
  if (items === view.items) return cut - kept.length
  const stay = new Set([...kept, ...view.items.slice(cut)].map(({ seq }) => seq))
  return items.slice(whole.view.items.fenced).filter(({ seq }) => !stay.has(seq)).length
}

/** The number of the caller's messages before the cut. A repair may have dropped some, and added others. */
export function givenBefore({ given: context, view }: CompactState, cut: number): number {
  const given = context.view.items
  if (given === view.items) return cut
  const first = view.items.at(cut)
  return first === undefined ? given.length : given.slice().filter(({ place }) => place < first.place).length
}

/** The sizes of an entry while the size of the context after it is not known yet. */
export function sizesBefore({ tokens, drift }: CompactState) {
  return { tokensBefore: tokens, tokensAfter: tokens, drift }
}

/** The focus without surrounding white space; undefined if nothing is left. */
export function focusOf(focus: string | undefined): string | undefined {
  const trimmed = focus?.trim()
  return trimmed === '' ? undefined : trimmed
}
