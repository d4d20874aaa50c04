import { mapSteps, type Steps } from '../../../model/steps.ts'
import type { Item } from '../../../model/types.ts'
import type { CompactPlan } from '../../plan/plan-shape.ts'
import { digestBlocks, digestWithin } from '../../record/digest/digest.ts'
import { SECTION } from '../../record/sections/section-titles.ts'
import type { Refusal } from '../ask/accept-summary.ts'
import type { CompactState } from '../compact-state.ts'
import { type CompactionDraft, compactionDraft, factsFor } from '../compaction-draft.ts'
import { floorIfOver, type RebuiltContext, rebuild } from '../rebuild.ts'
import { indexWithStatements, spanSteps } from '../removed-span.ts'
import { factsTokens, roomForFacts } from './room-for-facts.ts'

/** The steps by which the digest shrinks until the context fits: first narrative, names and facts, then the user's words. */
const SCALES = [1, 0.7, 0.5, 0.35, 0.2, 0.1, 0.06, 0.03, 0] as const
const STEPS = [
  ...SCALES.map((scale) => ({ scale, words: 1 })),
  ...SCALES.slice(1).map((words) => ({ scale: 0, words })),
]

/** More sentences than these do not make a better record. */
const NARRATIVE_TOKENS = 2_050
/** Extra room if a model wrote the earlier summary: that is kept nearly whole. */
const CARRIED_TOKENS = 2_600
/** A large target has room for more of both. */
const NARRATIVE_SHARE = 0.05
const CARRIED_SHARE = 0.1

/** Summarises without a model. Its smallest form always fits, unless the parts that cannot be compacted are too large. */
export function* digestRung(
  state: CompactState,
  plan: CompactPlan,
  /** Why no summary by a model was accepted. */
  refusal?: string,
): Steps<{ result: RebuiltContext | Refusal; draft: CompactionDraft }> {
  const removed = yield* spanSteps(state, plan.cut)
  yield* removed.findSaid()
  const index = indexWithStatements(removed)
  const shown = yield* mapSteps(state.view.items.slice(), state.redacted)
  const span = shown.slice(0, plan.cut)
  const narrative = Math.min(plan.allowances.summaryTokens, narrativeTokens(span, plan.bounds?.target))
  const indexTokens = factsTokens(plan, roomForFacts(state, plan, narrative) + plan.allowances.nameTokens)
  const tail = shown.slice(plan.cut)
  const blocks = digestBlocks({ items: span, index, tail, tokens: narrative, estimator: state.estimator })
  yield
  for (const { scale, words } of STEPS) {
    const scaled = (size: number) => Math.floor(size * scale)
    const allowances = {
      ...plan.allowances,
      indexTokens: scaled(indexTokens),
      quoteTokens: Math.floor(plan.allowances.quoteTokens * words),
      nameTokens: scaled(plan.allowances.nameTokens),
    }
    const summary = digestWithin(scaled(narrative), blocks)
    const draft = compactionDraft(state, { ...plan, allowances }, { summary, rung: 'digest', refusal })
    const result = yield* rebuild(state, [draft], plan.bounds, factsFor(state, plan, draft))
    if (result.ok || result.refusal === 'invalid') return { result, draft }
    if (words === 0) return { result: floorIfOver(result), draft }
  }
  throw new Error('unreachable: the last scale returns')
}

function narrativeTokens(span: readonly Item[], target = 0): number {
  const own = Math.max(NARRATIVE_TOKENS, Math.floor(target * NARRATIVE_SHARE))
  return hasModelSummary(span) ? own + Math.max(CARRIED_TOKENS, Math.floor(target * CARRIED_SHARE)) : own
}

/** True if the span has an earlier summary that a model wrote, or the remains of one. */
function hasModelSummary(span: readonly Item[]): boolean {
  return span.some((item) => item.kind === 'summary' && (item.written || item.text.includes(`## ${SECTION.earlier}`)))
}
