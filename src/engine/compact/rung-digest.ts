import type { Seq } from '../../model/ids.ts'
import { type Index, mergeIndexes } from '../../model/log-index.ts'
import type { Item } from '../../model/view.ts'
import type { Estimator } from '../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import type { CompactPlan } from '../plan/plan-shape.ts'
import { digest } from '../record/digest/digest.ts'
import { leastIndex } from '../record/index/render-index.ts'
import type { Refusal } from './accept.ts'
import type { CompactState } from './compact-state.ts'
import { type CompactionDraft, compactionDraft } from './compaction-draft.ts'
import { floorIfOver, type RebuiltContext, rebuild } from './rebuild.ts'
import { roomForFacts } from './room-for-facts.ts'

/** Less and less until the context fits: first of narrative, names and facts, last of all of the user's words. */
const SCALES = [1, 0.7, 0.5, 0.35, 0.2, 0.1, 0.03, 0] as const
const STEPS = [
  ...SCALES.map((scale) => ({ scale, words: 1 })),
  ...SCALES.slice(1).map((words) => ({ scale: 0, words })),
]

/** More sentences of a conversation do not make a better summary: those that agents write have some 3,000 tokens. */
const NARRATIVE_TOKENS = 1_800
/** Commands, errors and names: some hundred of each are this much; where the target is large there may be more of them. */
const OTHER_TOKENS = 4_800
const OTHER_SHARE = 0.1

/** Summarises without a model. Its smallest form always fits, unless what cannot be compacted is too large. */
export function digestRung(
  state: CompactState,
  plan: CompactPlan,
  /** Why no summary of a model was taken. */
  refusal?: string,
): { result: RebuiltContext | Refusal; draft: CompactionDraft } {
  const { items, facts } = state.removed(plan.cut)
  const earlier = items.flatMap((item) => (item.kind === 'summary' ? [item.index] : []))
  const index = mergeIndexes([...earlier, facts])
  const { quoteTokens, nameTokens } = plan.allowances
  const summaryTokens = Math.min(plan.allowances.summaryTokens, NARRATIVE_TOKENS)
  const others = Math.max(OTHER_TOKENS, Math.floor((plan.bounds?.target ?? 0) * OTHER_SHARE))
  const indexTokens = Math.min(roomForFacts(state, plan, summaryTokens), leastTokens(index) + others)
  const span = state.view.items.slice(0, plan.cut)
  const since = items[0]?.kind === 'summary' ? items[0].upTo : 0
  for (const { scale, words } of STEPS) {
    const scaled = (size: number) => Math.floor(size * scale)
    const allowances = {
      ...plan.allowances,
      indexTokens: scaled(indexTokens),
      quoteTokens: Math.floor(quoteTokens * words),
      nameTokens: scaled(nameTokens),
    }
    const characters = state.input.recordCharacters
    const summary =
      characters === undefined
        ? digest({ items: span, index, tokens: scaled(summaryTokens), estimator: state.estimator })
        : digestWithin(narrativeRoom(scaled(characters), index, since), span, index)
    const made = compactionDraft(state, { ...plan, allowances }, { summary, rung: 'digest', refusal })
    const draft = characters === undefined ? made : { ...made, recordCharacters: scaled(characters) }
    const result = rebuild(state, [draft], plan.bounds)
    if (result.ok || result.refusal === 'invalid') return { result, draft }
    if (words === 0) return { result: floorIfOver(result), draft }
  }
  throw new Error('unreachable: the last scale returns')
}

/** The tokens of files and user messages in the index. The first message is not counted there. */
function leastTokens(index: Index): number {
  return featureEstimator.text(leastIndex({ ...index, users: index.users.slice(1) }))
}

/** The narrative's share of the room beside files and user messages. Other facts get the rest. */
const NARRATIVE_SHARE = 0.6
/** The narrative has this much of a record before files and words of earlier spans … */
const BEFORE_EARLIER_SHARE = 0.4
/** … and this much in any case, but no more than so many characters. */
const LEAST_SHARE = 0.16
const LEAST_CHARACTERS = 1_600
const BY_CHARACTERS: Estimator = { name: 'characters', text: (text) => text.length }

function narrativeRoom(characters: number, index: Index, since: Seq): number {
  const besideAll = (characters - leastIndex(index).length) * NARRATIVE_SHARE
  const besideSpan = (characters - leastIndex(index, since).length) * NARRATIVE_SHARE
  const least = Math.min(characters * LEAST_SHARE, LEAST_CHARACTERS)
  return Math.floor(Math.max(besideAll, Math.min(characters * BEFORE_EARLIER_SHARE, besideSpan), least))
}

/** A digest of at most so many characters, its headings and notes counted: they are known when it is written. */
function digestWithin(characters: number, items: readonly Item[], index: Index): string {
  let tokens = characters
  for (let more = 16; ; more *= 2) {
    const text = digest({ items, index, tokens: Math.max(0, tokens), estimator: BY_CHARACTERS })
    if (text.length <= characters || tokens <= 0) return text.length <= characters ? text : ''
    tokens -= text.length - characters + more
  }
}
