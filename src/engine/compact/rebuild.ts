import type { LeftOut } from '../../model/compact-result.ts'
import type { Entry, EntryDraft } from '../../model/entry.ts'
import type { Message } from '../../model/message.ts'
import { uncounted, type View } from '../../model/view.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import { status } from '../../tokens/status.ts'
import { type Bounds, excessOf } from '../plan/bounds.ts'
import { count } from '../report/numbers.ts'
import { overText } from '../report/over-text.ts'
import { appended } from '../view/log.ts'
import { requestOf } from '../view/request.ts'
import { validate } from '../view/validate.ts'
import { viewOf } from '../view/view-of.ts'
import { type CompactState, unreadIn } from './compact-state.ts'
import { type Refusal, refuse } from './refusal.ts'

export type RebuiltContext = {
  readonly ok: true
  readonly log: readonly Entry[]
  readonly view: View
  readonly tokensAfter: number
  readonly leftOut?: LeftOut
}

/** The context with these entries appended, if it may be committed: smaller, within its bounds, valid. */
export function rebuild(state: CompactState, drafts: readonly EntryDraft[], bounds?: Bounds): RebuiltContext | Refusal {
  const { input, policy, estimator } = state
  const log = appended(state.log, drafts, input)
  const view = viewOf(log)
  const tokensAfter = status({ ...input, view, estimator }).tokens
  const verdict = acceptContext({
    messages: requestOf(view, input.pending).messages,
    // The plan has shared out our own tokens, so the result is judged by them.
    tokensBefore: state.estimated,
    tokensAfter: status({ ...input, view: uncounted(view), estimator }).tokens,
    unreadTokens: unreadIn({ ...state, view }).tokens,
    bounds,
    mustShrink: policy.fitTarget || state.reason !== 'manual',
  })
  if (!verdict.ok) return verdict
  // The size is known only now. The view does not depend on it, so it need not be rendered again.
  const final = log.map((entry, i) =>
    i >= state.log.length && 'tokensAfter' in entry ? { ...entry, tokensAfter } : entry,
  )
  return { ok: true, log: final, view, tokensAfter, leftOut: bounds && leftOutOf(state, view) }
}

/** Over its bounds in its smallest form: nothing that can be compacted is left, so that no rung has failed. */
export function floorIfOver(result: RebuiltContext | Refusal): RebuiltContext | Refusal {
  return result.ok || result.refusal !== 'over-target' ? result : { ...result, refusal: 'floor-too-large' }
}

export type ContextCandidate = {
  readonly messages: readonly Message[]
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The part of `tokensAfter` that the model has not read yet. */
  readonly unreadTokens: number
  /** The sizes that the rebuilt request is held to. */
  readonly bounds?: Bounds
  readonly mustShrink: boolean
}

/** Takes a rebuilt context only if it is smaller, within its bounds, and every provider would accept it. */
export function acceptContext(rebuilt: ContextCandidate): { readonly ok: true } | Refusal {
  const { tokensBefore, tokensAfter, unreadTokens, bounds } = rebuilt
  if (rebuilt.mustShrink && tokensAfter >= tokensBefore) {
    return refuse(
      'not-smaller',
      `the summary is not smaller than what it replaces (${count(tokensBefore)} → ${count(tokensAfter)} tokens)`,
    )
  }
  const over = bounds === undefined ? undefined : excessOf(tokensAfter, unreadTokens, bounds)
  if (over !== undefined) return refuse('over-target', `the rebuilt context ${overText(over)}`)
  const problem = validate(rebuilt.messages)[0]
  return problem === undefined ? { ok: true } : refuse('invalid', `the rebuilt context is not valid: ${problem.text}`)
}

/** The part of the unread that the rebuilt view does not have, if there is one. */
function leftOutOf(state: CompactState, rebuilt: View): LeftOut | undefined {
  const { estimator } = state
  const unread = state.view.items.slice(unreadIn(state).from)
  const now = new Map(rebuilt.items.slice().map(({ seq, message }) => [seq, message]))
  const shortened = unread
    .map(({ seq, message }) => ({ seq, tokens: messageTokens(message, estimator) - tokensNow(seq) }))
    .filter(({ tokens }) => tokens > 0)
  if (shortened.length === 0) return undefined
  return { tokens: shortened.reduce((sum, { tokens }) => sum + tokens, 0), seqs: shortened.map(({ seq }) => seq) }

  function tokensNow(seq: number): number {
    const message = now.get(seq)
    return message === undefined ? 0 : messageTokens(message, estimator)
  }
}
