import type { LeftOut } from '../../model/compact-result.ts'
import type { Steps } from '../../model/steps.ts'
import type { EntryDraft, Message, Squeeze } from '../../model/types.ts'
import { Sequence } from '../../model/values.ts'
import { tokensAt, tokensBetween, unreadOf } from '../../tokens/sizes.ts'
import { type Context, estimateIn, statusIn } from '../context/context.ts'
import { extendContextSteps } from '../context/open-context.ts'
import { entryAfter } from '../context/view/log.ts'
import { requestOf } from '../context/view/request.ts'
import { type ValidateOptions, validate } from '../context/view/validate.ts'
import { type Bounds, excessOf } from '../plan/bounds.ts'
import { sizedItems, squeezeSized } from '../plan/squeeze-plan.ts'
import { overText } from '../report/change-text.ts'
import { count } from '../report/numbers.ts'
import { type Refusal, refuse } from './ask/accept-summary.ts'
import { type CompactState, unreadIn } from './compact-state.ts'

export type RebuiltContext = {
  readonly ok: true
  readonly context: Context
  readonly tokensAfter: number
  readonly leftOut?: LeftOut
}

/**
 * The context with these entries appended, if it may be committed: smaller, within its bounds, valid. A record is often
 * smaller than the plan allowed. The room that it leaves below the limit goes to unread messages that had to be shortened.
 */
export function* rebuild(
  state: CompactState,
  drafts: readonly EntryDraft[],
  bounds?: Bounds,
): Steps<RebuiltContext | Refusal> {
  const planned = yield* contextWith(state, drafts, bounds)
  if (!planned.ok || bounds === undefined) return planned
  const longer = withLongerUnread(state, drafts, planned.context, bounds)
  const rebuilt = longer === undefined ? planned : yield* contextWith(state, longer, bounds)
  return rebuilt.ok ? rebuilt : planned
}

function* contextWith(
  state: CompactState,
  drafts: readonly EntryDraft[],
  bounds: Bounds | undefined,
): Steps<RebuiltContext | Refusal> {
  const { input, policy, whole, pendingTokens } = state
  let rebuilt = whole
  for (const draft of drafts) rebuilt = yield* extendContextSteps(rebuilt, entryAfter(rebuilt.log.last, draft, input))
  yield
  const { tokens: tokensAfter } = statusIn(rebuilt, input.pending)
  const verdict = acceptContext({
    messages: requestOf(rebuilt.view, input.pending).messages,
    // The plan was made with our own estimates, so the result is compared with them.
    tokensBefore: state.estimated,
    tokensAfter: estimateIn(rebuilt, input.pending),
    unreadTokens: unreadOf(rebuilt.sizes, pendingTokens).tokens,
    bounds,
    mustShrink: policy.fitTarget || state.reason !== 'manual',
    pending: input.upTo === undefined ? 'refused' : 'allowed',
  })
  if (!verdict.ok) return verdict
  // The size is known only now. Nothing else depends on it, so the context is not rebuilt.
  const before = whole.log.length
  const entries = rebuilt.log
    .slice()
    .map((entry, i) => (i >= before && 'tokensAfter' in entry ? { ...entry, tokensAfter } : entry))
  const context = { ...rebuilt, log: Sequence.of(entries) }
  return { ok: true, context, tokensAfter, leftOut: bounds && leftOutOf(state, context) }
}

/** The same entries, but the unread messages that they shorten get all the room that this view leaves below the limit. */
function withLongerUnread(
  state: CompactState,
  drafts: readonly EntryDraft[],
  rebuilt: Context,
  { limit }: Bounds,
): EntryDraft[] | undefined {
  const { input, estimator, pendingTokens } = state
  const whole = sizedItems(state.sizes, unreadIn(state).from)
  const unread = new Set(whole.map(({ item }) => item.seq))
  if (!drafts.some((draft) => squeezesIn(draft).some(({ target }) => unread.has(target)))) return undefined
  const { items } = rebuilt.view
  const { from } = unreadOf(rebuilt.sizes, pendingTokens)
  // A plan without a tail has the unread messages in its record.
  if (items.length - from !== whole.length) return undefined
  const tokens = estimateIn(rebuilt, input.pending)
  const now = tokensBetween(rebuilt.sizes, from, items.length)
  const longer = squeezeSized(whole, limit - (tokens - now), Number.POSITIVE_INFINITY, estimator)
  if (longer === undefined || longer.tokens <= now) return undefined
  return drafts.map((draft) => {
    if (draft.type !== 'squeeze' && draft.type !== 'compaction') return draft
    const squeezes = [...squeezesIn(draft).filter(({ target }) => !unread.has(target)), ...longer.squeezes]
    return draft.type === 'compaction' && squeezes.length === 0
      ? { ...draft, squeezes: undefined }
      : { ...draft, squeezes }
  })
}

function squeezesIn(draft: EntryDraft): readonly Squeeze[] {
  return draft.type === 'squeeze' || draft.type === 'compaction' ? (draft.squeezes ?? []) : []
}

/** If the smallest form is over its bounds, nothing is left to compact, and no rung has failed. */
export function floorIfOver(result: RebuiltContext | Refusal): RebuiltContext | Refusal {
  return result.ok || result.refusal !== 'over-target' ? result : { ...result, refusal: 'floor-too-large' }
}

export type ContextCandidate = ValidateOptions & {
  readonly messages: readonly Message[]
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The part of `tokensAfter` that the model has not read yet. */
  readonly unreadTokens: number
  /** The bounds that the rebuilt request has to keep. */
  readonly bounds?: Bounds
  readonly mustShrink: boolean
}

/** Accepts a rebuilt context only if it is smaller, within its bounds, and valid for every provider. */
export function acceptContext(rebuilt: ContextCandidate): { readonly ok: true } | Refusal {
  const { tokensBefore, tokensAfter, unreadTokens, bounds, pending } = rebuilt
  if (rebuilt.mustShrink && tokensAfter >= tokensBefore) {
    return refuse(
      'not-smaller',
      `the summary is not smaller than what it replaces (${count(tokensBefore)} → ${count(tokensAfter)} tokens)`,
    )
  }
  const over = bounds === undefined ? undefined : excessOf(tokensAfter, unreadTokens, bounds)
  if (over !== undefined) return refuse('over-target', `the rebuilt context ${overText(over)}`)
  const problem = validate(rebuilt.messages, { pending })[0]
  return problem === undefined ? { ok: true } : refuse('invalid', `the rebuilt context is not valid: ${problem.text}`)
}

/** The part of the unread that is missing from the rebuilt view, if there is one. */
function leftOutOf(state: CompactState, rebuilt: Context): LeftOut | undefined {
  const now = new Map(rebuilt.view.items.slice().map(({ seq }, at) => [seq, tokensAt(rebuilt.sizes, at)]))
  const shortened = sizedItems(state.sizes, unreadIn(state).from)
    .map(({ item: { seq }, size }) => ({ seq, tokens: size - (now.get(seq) ?? 0) }))
    .filter(({ tokens }) => tokens > 0)
  if (shortened.length === 0) return undefined
  return { tokens: shortened.reduce((sum, { tokens }) => sum + tokens, 0), seqs: shortened.map(({ seq }) => seq) }
}
