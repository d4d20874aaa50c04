import type { EntryOf } from '../../model/entry.ts'
import type { IndexDelta } from '../../model/log-index.ts'
import type { Rung } from '../../model/policy.ts'
import { type Item, isUserMessage, type MessageItem } from '../../model/view.ts'
import { filesOf } from '../facts/files.ts'
import { saidFacts } from '../facts/said-facts.ts'
import { storedDelta } from '../facts/stored-delta.ts'
import { allLearnedFrom } from '../measure/calibration.ts'
import { recountedSince } from '../measure/reduction-sizes.ts'
import { keptItems, keptSeqs } from '../plan/kept-items.ts'
import type { CompactPlan } from '../plan/plan-shape.ts'
import type { CompactState } from './compact-state.ts'
import { elsewhereTokens } from './rungs/room-for-facts.ts'

export type CompactionDraft = Omit<EntryOf<'compaction'>, 'id' | 'seq' | 'at'>

/** A summary with the rung and the model that wrote it. */
export type RungSummary = Pick<CompactionDraft, 'summary' | 'model' | 'usage' | 'cost' | 'flagged' | 'refusal'> & {
  readonly rung: Rung
}

/** The entry that puts a summary in the place of a span. It names the range and copies nothing of it. */
export function compactionDraft(state: CompactState, plan: CompactPlan, made: RungSummary): CompactionDraft {
  const { input, policy, view } = state
  const span = view.items.slice(0, plan.cut)
  const removed = state.removed(plan.cut)
  const first = span[0]
  const upTo = span.reduce((last, item) => Math.max(last, item.place), 0)
  const focus = focusOf(input.focus)
  const listsFiles = policy.indexFacts === 'files'
  const learned = allLearnedFrom(state.log)
  const recounted = recountedSince(state.log)
  const form = policy.frame === 'pith' && !listsFiles ? 'sections' : undefined
  const kept = keptItems(view, plan.cut, policy)
  const facts = { ...removed.facts, statements: undefined, ...(made.rung === 'digest' ? removed.said : {}) }
  const nameTokens = form === undefined ? plan.allowances.nameTokens : elsewhereTokens(plan)
  return {
    type: 'compaction',
    from: first?.kind === 'summary' ? first.from : (first?.place ?? 0),
    upTo,
    keep: keptSeqs(view, plan.cut, kept, upTo),
    frame: policy.frame,
    form,
    indexTokens: plan.allowances.indexTokens,
    userTokens: plan.allowances.quoteTokens,
    nameTokens: nameTokens === 0 ? undefined : nameTokens,
    recordCharacters: input.recordCharacters,
    indexDelta: {
      ...storedDelta(
        withRequest(facts, kept.map(state.tell)),
        first?.kind !== 'summary',
        plan.allowances.quoteTokens * 8,
      ),
      ...(listsFiles ? { listed: filesOf(view.items) } : {}),
    },
    indexFacts: listsFiles ? 'files' : undefined,
    messages: removed.items.length,
    squeezes: plan.squeezes.length === 0 ? undefined : [...plan.squeezes],
    reason: state.reason,
    ...sizesBefore(state),
    recounted: recounted.length === 0 ? undefined : recounted,
    focus,
    learned: learned.length === 0 ? undefined : learned,
    ...made,
  }
}

/** The sizes of an entry while the context after it is not known yet. */
export function sizesBefore({ tokens, drift }: CompactState) {
  return { tokensBefore: tokens, tokensAfter: tokens, drift }
}

/** The request at hand stays verbatim, but the record names it, and is read alone too. */
function withRequest(facts: IndexDelta, kept: readonly Item[]): IndexDelta {
  const asked = kept.findLast((item): item is MessageItem => isUserMessage(item))
  const { users = [] } = asked === undefined ? {} : saidFacts(asked)
  return users.length === 0 ? facts : { ...facts, users: [...(facts.users ?? []), ...users] }
}

/** The focus without white space around it; none if nothing is left. */
export function focusOf(focus: string | undefined): string | undefined {
  const trimmed = focus?.trim()
  return trimmed === '' ? undefined : trimmed
}
