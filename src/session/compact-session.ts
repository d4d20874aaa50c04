import { type CompactInput, compact } from '../engine/compact.ts'
import type { CompactResult } from '../engine/compact-result.ts'
import { estimatorOf } from '../engine/estimator-of.ts'
import { requestOf } from '../engine/request.ts'
import { statusOf } from '../engine/status-of.ts'
import { validate } from '../engine/validate.ts'
import { viewOf } from '../engine/view.ts'
import type { Entry, EntryDraft } from '../model/entry.ts'
import { policyOf } from '../model/presets.ts'
import type { SummaryModel } from '../model/summary-model.ts'
import { messagesOf } from '../model/view.ts'
import type { SessionId, Store } from '../store/store.ts'
import { budgetOf } from '../tokens/budget.ts'
import { status } from '../tokens/status.ts'
import { type OpenSession, openSession } from './open-session.ts'

export type CompactSessionInput = Omit<CompactInput, 'log' | 'ids'> & {
  /** Who we are, for others that would do the same work meanwhile. */
  readonly holder: string
  /** How long the lease of a process that died holds others up. */
  readonly leaseMs?: number
}

/** As the engine's result; `busy` names who compacts the session already, `superseded` says that its view has changed. */
export type SessionCompactResult = CompactResult & { readonly busy?: string; readonly superseded?: true }

const LEASE_MS = 5 * 60_000

/** Compacts a stored session by its id: read, decide, act, accept, and commit only if its view is still the same. */
export async function compactSession(
  store: Store,
  id: SessionId,
  input: CompactSessionInput,
): Promise<SessionCompactResult> {
  const lease = await store.acquireLease(id, input.holder, input.leaseMs ?? LEASE_MS)
  if (!lease.ok) {
    const open = await openSession(store, id)
    return { ...skipped(open, input, `Already being compacted by ${lease.holder}`), busy: lease.holder }
  }
  try {
    const open = await openSession(store, id)
    const result = await compact({ ...input, log: open.log })
    return await commit(store, open, input, result)
  } finally {
    await store.releaseLease(id, lease.token)
  }
}

/** The same with the model that writes the summary as an argument (R12). */
export function compactSessionWith(
  store: Store,
  id: SessionId,
  model: SummaryModel,
  input: Omit<CompactSessionInput, 'summaryModels'>,
): Promise<SessionCompactResult> {
  return compactSession(store, id, { ...input, summaryModels: [model] })
}

/** One transaction: the view's revision is unchanged, and the context still fits with what was said meanwhile. */
async function commit(
  store: Store,
  open: OpenSession,
  input: CompactSessionInput,
  result: CompactResult,
): Promise<SessionCompactResult> {
  if (result.entries.length === 0) return result
  const drafts = result.entries.map(draftOf)
  // What did not come about changes no view: a note for the breaker, whatever happened meanwhile.
  if (!result.compacted) {
    const appended = await store.append(open.session.id, drafts)
    return appended.ok ? { ...result, entries: appended.entries } : result
  }
  const appended = await store.append(open.session.id, drafts, {
    revision: open.session.revision,
    guard: { since: open.session.lastSeq, check: (later) => whyNot(open, input, result, later) },
  })
  if (appended.ok) return { ...result, entries: appended.entries }
  if (appended.reason === 'refused') return skipped(open, input, appended.why)
  return { ...skipped(open, input, 'The view has changed meanwhile'), superseded: true }
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
  const { target } = budgetOf(policy, input.model?.contextWindow, input.model?.maxInput)
  const { tokens } = status({ ...input, view, estimator })
  if (policy.preset === 'pith' && target !== undefined && tokens > target) {
    return `With what was said meanwhile the context has ${tokens} tokens, more than the target of ${target}`
  }
  return undefined
}

function draftOf({ id: _, seq: __, at: ___, ...draft }: Entry): EntryDraft {
  return draft as EntryDraft
}

/** Nothing was done, and why. */
function skipped({ log, view }: OpenSession, input: CompactSessionInput, reason: string): CompactResult {
  const { tokens } = statusOf(log, input)
  return {
    outcome: 'skipped',
    compacted: false,
    reason,
    messages: messagesOf(view),
    tokensBefore: tokens,
    tokensAfter: tokens,
    messagesRemoved: 0,
    summary: '',
    cut: 0,
    readFiles: [],
    modifiedFiles: [],
    entries: [],
    view,
  }
}
