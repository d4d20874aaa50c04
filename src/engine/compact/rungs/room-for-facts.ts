import type { Estimator } from '../../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { tokensAt, tokensBetween } from '../../../tokens/sizes.ts'
import { keptIndexes } from '../../plan/kept-items.ts'
import type { CompactPlan } from '../../plan/plan-shape.ts'
import { RECORD_OPENING } from '../../record/prompts/record-texts.ts'
import type { CompactState } from '../compact-state.ts'

/** Only lines are counted; the rest is for headings and notes. */
const MARGIN = 0.95
/** If a record filled the context, a user who asks for one more compaction would find nothing to compact. */
const MOST_OF_ROOM = 0.4

/** The tokens of a record's facts at the default size. A large target has room for more. */
const FACTS_TOKENS = 4_000
const FACTS_SHARE = 0.08

/** The tokens of the facts in a record, including names: at most the available room, and no more than a reader needs. */
export function factsTokens({ bounds }: CompactPlan, room: number): number {
  return Math.min(room, Math.max(FACTS_TOKENS, Math.floor((bounds?.target ?? 0) * FACTS_SHARE)))
}

/** Facts come from the log, so they get a part of the record however long the summary is. */
const LEAST_FACTS = 0.2
/** The thousand words that a model is asked for. */
const ASKED_TOKENS = 1_800

/** The room that a model's summary leaves for facts, if the size of the record is limited. */
export function roomBeside({ input }: CompactState, summaryTokens = ASKED_TOKENS): number {
  const { recordTokens = Number.POSITIVE_INFINITY } = input
  return Math.max(recordTokens * LEAST_FACTS, recordTokens - summaryTokens)
}

/** Files that were read, and names: about 2,500 characters at the default size. */
const ELSEWHERE_TOKENS = 700
const ELSEWHERE_SHARE = 0.03

/** The tokens of files that were read and of names. */
export function elsewhereTokens({ bounds, allowances: { nameTokens } }: CompactPlan): number {
  return Math.min(nameTokens, Math.max(ELSEWHERE_TOKENS, Math.floor((bounds?.target ?? 0) * ELSEWHERE_SHARE)))
}

/**
 * The tokens that a digest of `summaryTokens` leaves for its facts: the rest of the room that the plan kept for a model's
 * summary, and the room that the tail did not use because the next message was too large for it.
 */
export function roomForFacts(state: CompactState, plan: CompactPlan, summaryTokens: number): number {
  const { allowances, cut, squeezes } = plan
  const planned = allowances.indexTokens + Math.max(0, allowances.summaryTokens - summaryTokens)
  // Without a target nothing limits the room. If something was squeezed, it fills the room.
  if (!Number.isFinite(allowances.room) || squeezes.length > 0) return planned
  const { view, policy, estimator, sizes } = state
  const kept = keptIndexes(view, cut, policy).reduce((sum, index) => sum + tokensAt(sizes, index), 0)
  const tail = tokensBetween(sizes, cut, Math.max(cut, view.items.unread()))
  const others = allowances.firstUserTokens + allowances.nameTokens + summaryTokens
  const left = (allowances.room - kept - tail - others) * MARGIN
  const most = allowances.room * MOST_OF_ROOM
  return Math.max(planned, Math.floor(Math.min(left, most) / perToken(estimator)))
}

/** Facts are always counted by the estimator that no model changes. */
function perToken(estimator: Estimator): number {
  return estimator.text(RECORD_OPENING(1)) / featureEstimator.text(RECORD_OPENING(1))
}
