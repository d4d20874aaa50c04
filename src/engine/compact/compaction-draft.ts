import type { Rung } from '../../model/policy/policy.ts'
import { type EntryOf, type IndexDelta, type Item, isUserMessage, type MessageItem } from '../../model/types.ts'
import { sumOfFixed } from '../../tokens/estimate/estimator.ts'
import { tokensKnown } from '../../tokens/sizes.ts'
import { allLearned } from '../context/measure/calibration.ts'
import { replacedMessageCount } from '../context/view/replaced-range.ts'
import { filesOf } from '../extract/files.ts'
import { messageFacts } from '../extract/message-facts.ts'
import { FACT_RULES, storedDelta } from '../extract/stored-delta.ts'
import { keptItems } from '../plan/kept-items.ts'
import type { CompactPlan } from '../plan/plan-shape.ts'
import type { RecordFacts } from '../record/sections/record-facts.ts'
import type { CompactState } from './compact-state.ts'
import { elsewhereTokens } from './rungs/room-for-facts.ts'

export type CompactionDraft = Omit<EntryOf<'compaction'>, 'id' | 'seq' | 'at'>

/** A summary with the rung and the model that wrote it. */
export type RungSummary = Pick<CompactionDraft, 'summary' | 'model' | 'usage' | 'cost' | 'flagged' | 'refusal'> & {
  readonly rung: Rung
}

/** The entry that replaces a span with a summary. It names the range and copies nothing from it. */
export function compactionDraft(state: CompactState, plan: CompactPlan, made: RungSummary): CompactionDraft {
  const { input, policy, view, calibration } = state
  const log = state.whole.log.slice()
  const removed = state.removed(plan.cut)
  const isFirst = view.items.at(0)?.kind !== 'summary'
  const messages = messagesRemoved(state, plan.cut)
  const standsFor = replacedMessageCount(messages, removed.items, view, log)
  const focus = focusOf(made.rung === 'digest' ? (input.typedFocus ?? input.focus) : input.focus)
  const listsFiles = policy.indexFacts === 'files'
  const learned = allLearned(log, calibration, tokensKnown(state.whole.sizes))
  const form = policy.frame === 'pith' && !listsFiles ? 'sections' : undefined
  const facts = { ...removed.facts, statements: undefined, ...(made.rung === 'digest' ? removed.said : {}) }
  const nameTokens = form === undefined ? plan.allowances.nameTokens : elsewhereTokens(plan)
  return {
    type: 'compaction',
    ...removed.range,
    frame: policy.frame,
    form,
    indexTokens: plan.allowances.indexTokens,
    userTokens: plan.allowances.quoteTokens,
    nameTokens: nameTokens === 0 ? undefined : nameTokens,
    indexDelta: {
      ...storedDelta(withRequest(facts, removed.kept.map(state.redacted)), isFirst, plan.allowances.quoteTokens * 8),
      ...(listsFiles ? { listed: filesOf(view.items) } : {}),
    },
    since: form === undefined ? undefined : removed.since,
    factRules: FACT_RULES,
    indexFacts: listsFiles ? 'files' : undefined,
    messages,
    standsFor: standsFor === messages ? undefined : standsFor,
    squeezes: plan.squeezes.length === 0 ? undefined : [...plan.squeezes],
    reason: state.reason,
    ...sizesBefore(state),
    // For programs that do not know the prompt and the tools: they show the same size afterwards.
    unseenTokens: sumOfFixed(state.fixed.own) || state.whole.view.unseenTokens,
    focus,
    learned: learned.length === 0 ? undefined : learned,
    ...made,
  }
}

/** The facts of the span, if the record is rendered from them. */
export function factsFor(
  state: CompactState,
  { cut }: CompactPlan,
  { form }: CompactionDraft,
): RecordFacts | undefined {
  return form === undefined ? undefined : state.removed(cut).record
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

/** The current request stays verbatim. The record names it anyway, because a record may be read without the tail. */
function withRequest(facts: IndexDelta, kept: readonly Item[]): IndexDelta {
  const asked = kept.findLast((item): item is MessageItem => isUserMessage(item))
  const { users = [] } = asked === undefined ? {} : messageFacts(asked)
  return users.length === 0 ? facts : { ...facts, users: [...(facts.users ?? []), ...users] }
}

/** The focus without surrounding white space; undefined if nothing is left. */
export function focusOf(focus: string | undefined): string | undefined {
  const trimmed = focus?.trim()
  return trimmed === '' ? undefined : trimmed
}
