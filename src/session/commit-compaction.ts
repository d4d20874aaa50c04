import { estimatorOf } from '../engine/measure/estimator-of.ts'
import { count } from '../engine/report/numbers.ts'
import { requestOf } from '../engine/view/request.ts'
import { validate } from '../engine/view/validate.ts'
import { viewOf } from '../engine/view/view-of.ts'
import type { CompactResult } from '../model/compact-result.ts'
import type { Entry, EntryDraft } from '../model/entry.ts'
import { policyOf } from '../model/presets.ts'
import { uncounted } from '../model/view.ts'
import type { AppendResult, Store } from '../store/store.ts'
import { budgetOf } from '../tokens/budget.ts'
import { fixedTotal } from '../tokens/estimate/estimator.ts'
import { status } from '../tokens/status.ts'
import type { CompactSessionInput } from './compact-session.ts'
import type { OpenSession } from './open-session.ts'

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
  const { target } = budgetOf(
    policy,
    input.model?.contextWindow,
    input.model?.maxInput,
    fixedTotal(input.fixed ?? {}, estimator),
  )
  const { tokens } = status({ ...input, view: uncounted(view), estimator })
  if (policy.fitTarget && target !== undefined && tokens > target) {
    return `With what was said meanwhile the context has ${count(tokens)} tokens, more than the target of ${count(target)}`
  }
  return undefined
}

function draftOf({ id: _, seq: __, at: ___, ...draft }: Entry): EntryDraft {
  return draft as EntryDraft
}
