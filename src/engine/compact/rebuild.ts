import type { LeftOut } from '../../model/compact-result.ts'
import type { Entry, EntryDraft } from '../../model/entry.ts'
import { uncounted, type View } from '../../model/view.ts'
import { status } from '../../tokens/status.ts'
import type { Bounds } from '../plan/bounds.ts'
import { appended } from '../view/log.ts'
import { requestOf } from '../view/request.ts'
import { viewOf } from '../view/view-of.ts'
import { acceptContext, type Refusal } from './accept.ts'
import { type CompactState, unreadIn } from './compact-state.ts'
import { leftOutOf } from './left-out.ts'

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
