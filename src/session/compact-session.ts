import { type CompactEvent, type CompactInput, compact } from '../engine/compact/compact.ts'
import type { CompactResult } from '../engine/compact/compact-result.ts'
import { statusOf } from '../engine/measure/status-of.ts'
import { busyReason } from '../engine/report/outcome.ts'
import type { Entry, EntryDraft } from '../model/entry.ts'
import { policyOf } from '../model/presets.ts'
import type { SummaryModel } from '../model/summary-model.ts'
import { messagesOf } from '../model/view.ts'
import type { SessionId, Store } from '../store/store.ts'
import { commitCompaction } from './commit-compaction.ts'
import { holdLease } from './hold-lease.ts'
import { keepSummaries } from './kept-summaries.ts'
import { type OpenSession, openSession } from './open-session.ts'
import { tellProgress } from './progress.ts'

export type CompactSessionInput = Omit<CompactInput, 'log' | 'view' | 'ids'> & {
  /** Who we are, for others that would do the same work meanwhile. */
  readonly holder: string
  /** The session as the caller has it in memory: it is read only if it turns out that others have changed it since. */
  readonly open?: OpenSession
  /** What this came to is appended under the key, so that it is done once. A failure is not: it may be tried again. */
  readonly key?: string
  /** How long the lease of a process that died holds others up. */
  readonly leaseMs?: number
}

/** As the engine's result; `busy` names who is at work in the session already, `superseded` says that its view has changed. */
export type SessionCompactResult = CompactResult & { readonly busy?: string; readonly superseded?: true }

const LEASE_MS = 5 * 60_000

/** How often a compaction is planned anew because what it was planned on has changed. */
const TRIES = 3

/** Compacts a stored session by its id: read, decide, act, accept, and commit only if its view is still the same. */
export async function compactSession(
  store: Store,
  id: SessionId,
  input: CompactSessionInput,
): Promise<SessionCompactResult> {
  const lease = await holdLease(store, id, input.holder, input.leaseMs ?? LEASE_MS)
  if (!lease.ok) {
    const open = await openSession(store, id)
    const busy = { ...skipped(open, input, busyReason(lease.holder)), busy: lease.holder }
    return told(store, open, busy)
  }
  try {
    return await tryUntilCommitted(store, id, input)
  } finally {
    await lease.release()
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

/** Plans again when the view has changed meanwhile, or has grown too large: others may write all the time. */
async function tryUntilCommitted(
  store: Store,
  id: SessionId,
  input: CompactSessionInput,
): Promise<SessionCompactResult> {
  const lost: EntryDraft[] = []
  for (let tries = 1; ; tries++) {
    const open = (tries === 1 ? input.open : undefined) ?? (await openSession(store, id))
    const result = await compactOpen(store, open, tries === TRIES ? quick(input) : input, tries)
    const isNothing = result.entries.length + lost.length === 0
    // That there was nothing to do is in no log, but the key remembers it.
    if (isNothing && input.key === undefined) return told(store, open, result)
    const appended = await commitCompaction(store, open, input, result, lost)
    if (appended.ok) {
      const { entries } = appended
      if (result.compacted && isUnmoved(entries, result)) {
        await keepSummaries(store, id, { log: [...open.log, ...entries], view: result.view })
      }
      return told(store, open, { ...result, entries: appended.entries })
    }
    const superseded = appended.reason === 'superseded'
    const why = superseded ? 'The view has changed meanwhile' : appended.why
    lost.push(...paidFor(result, why))
    if (tries < TRIES) continue
    const noted = await store.append(id, lost, { key: input.key })
    const nothing = { ...skipped(open, input, why), ...(noted.ok ? { entries: noted.entries } : {}) }
    return told(store, open, superseded ? { ...nothing, superseded } : nothing)
  }
}

/** True when the entries have the places that the view was made for: nothing was said meanwhile. */
function isUnmoved(entries: readonly Entry[], result: CompactResult): boolean {
  return entries.length === result.entries.length && entries[0]?.seq === result.entries[0]?.seq
}

/** The last try waits for no model, where the policy can do without and no user waits for a better summary. */
function quick(input: CompactSessionInput): CompactSessionInput {
  const can = (input.reason ?? 'manual') !== 'manual' && policyOf(input.policy).rungs.includes('digest')
  return can ? { ...input, summaryModels: [], warm: undefined } : input
}

/** A summary that came too late was paid for all the same. */
function paidFor({ model, usage, cost }: CompactResult, reason: string): EntryDraft[] {
  if (usage === undefined) return []
  const by = { ...(model === undefined ? {} : { model }), ...(cost === undefined ? {} : { cost }) }
  return [{ type: 'attempt', outcome: 'skipped', reason, usage, ...by }]
}

/** Compacts, and tells those who follow the session on this store. */
async function compactOpen(
  store: Store,
  { session, log, view }: OpenSession,
  input: CompactSessionInput,
  tries: number,
): Promise<CompactResult> {
  const { id, lastSeq: after } = session
  const onEvent = (event: CompactEvent) => {
    const started = event.type === 'start' && tries === 1
    tellProgress(store, {
      after,
      event: started
        ? { ...event, type: 'compaction-started', session: id }
        : { type: 'compaction-progress', session: id, event },
    })
    input.onEvent?.(event)
  }
  try {
    return await compact({ ...input, log, view, onEvent })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    tellProgress(store, { after, event: { type: 'compaction-failed', session: id, reason } })
    throw error
  }
}

/** A skip is in no log: it is told here, all else is told by its entry. */
function told(store: Store, { session }: OpenSession, result: SessionCompactResult): SessionCompactResult {
  const { outcome, reason, skip, busy } = result
  if (outcome !== 'skipped') return result
  const why = { reason, ...(skip === undefined ? {} : { skip }), ...(busy === undefined ? {} : { busy }) }
  tellProgress(store, { after: session.lastSeq, event: { type: 'compaction-skipped', session: session.id, ...why } })
  return result
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
