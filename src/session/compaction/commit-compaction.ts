import { estimatorOf } from '../../engine/measure/estimator-of.ts'
import { type Bounds, excessOf } from '../../engine/plan/bounds.ts'
import { overText } from '../../engine/report/over-text.ts'
import { requestOf } from '../../engine/view/request.ts'
import { validate } from '../../engine/view/validate.ts'
import { viewOf } from '../../engine/view/view-of.ts'
import type { CompactResult } from '../../model/compact-result.ts'
import type { Entry, EntryDraft } from '../../model/entry.ts'
import { policyOf } from '../../model/presets.ts'
import { uncounted, type View } from '../../model/view.ts'
import type { AppendResult, Store } from '../../store/store.ts'
import { type Budget, budgetOf } from '../../tokens/budget.ts'
import { messagesTokens } from '../../tokens/count.ts'
import { fixedTotal } from '../../tokens/estimate/estimator.ts'
import { status } from '../../tokens/status.ts'
import { unreadOf } from '../../tokens/unread.ts'
import type { OpenSession } from '../open-session.ts'
import type { CompactSessionInput } from './compact-session.ts'

/**
 * Appends what a compaction came to, behind what earlier tries have cost, in one transaction: the view's revision is
 * unchanged, and the context still fits with what was said meanwhile.
 */
export function commitCompaction(
  store: Store,
  open: OpenSession,
  input: CompactSessionInput,
  result: CompactResult,
  lost: readonly EntryDraft[],
): Promise<AppendResult> {
  const drafts = [...lost, ...result.entries.map(draftOf)]
  // What did not come about changes no view: a note for the breaker, whatever happened meanwhile.
  if (!result.compacted) {
    return store.append(open.session.id, drafts, { key: result.outcome === 'failed' ? undefined : input.key })
  }
  return store.append(open.session.id, drafts, {
    key: input.key,
    revision: open.session.revision,
    guard: { since: open.session.lastSeq, check: (later) => whyNot(open, input, result, later) },
  })
}

/** Why the compaction may not be committed behind these later entries. */
function whyNot(
  open: OpenSession,
  input: CompactSessionInput,
  result: CompactResult,
  later: readonly Entry[],
): string | undefined {
  if (later.length === 0) return undefined
  const policy = policyOf(input.policy)
  const last = later.at(-1)?.seq ?? 0
  const moved = result.entries.map((entry, i): Entry => ({ ...entry, seq: last + 1 + i }))
  const view = viewOf([...open.log, ...later, ...moved])
  const [problem] = validate(requestOf(view, input.pending).messages, { pending: 'allowed' })
  if (problem !== undefined) return `What was said meanwhile does not fit: ${problem.text}`
  const estimator = input.estimator ?? estimatorOf(policy, open.log, input.model)
  if (!policy.fitTarget) return undefined
  const { model, fixed = {} } = input
  const budget = budgetOf(policy, model?.contextWindow, model?.maxInput, fixedTotal(fixed, estimator))
  const pending = messagesTokens(input.pending ?? [], estimator)
  const sizes = (context: View): Sizes => ({
    tokens: status({ ...input, view: uncounted(context), estimator }).tokens,
    unread: unreadOf(context, estimator, pending).tokens,
  })
  const { tokens, unread } = sizes(view)
  const excess = excessOf(tokens, unread, boundsIn(budget, sizes(result.view)))
  return excess && `With what was said meanwhile the context ${overText(excess)}`
}

type Sizes = { readonly tokens: number; readonly unread: number }

/** The policy's bounds; where the compaction could not reach them, those that it did reach. */
function boundsIn({ target, limit, ceiling }: Budget, { tokens, unread }: Sizes): Pick<Bounds, 'target' | 'limit'> {
  const infinite = Number.POSITIVE_INFINITY
  return {
    target: Math.max(target ?? infinite, tokens - unread),
    limit: (tokens > (limit ?? infinite) ? ceiling : limit) ?? infinite,
  }
}

function draftOf({ id: _, seq: __, at: ___, ...draft }: Entry): EntryDraft {
  return draft as EntryDraft
}
