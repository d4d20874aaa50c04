import { compactContext } from '../../engine/compact/compact.ts'
import { withSettings } from '../../engine/context/context.ts'
import { pauses } from '../../fit/pauses.ts'
import type { CompactResult } from '../../model/compact-result.ts'
import type { Policy } from '../../model/policy/policy.ts'
import { loadRedactor } from '../../secrets/load-redactor.ts'
import { isUnknownSession } from '../../store/store.ts'
import type { LiveSession } from '../live-session.ts'
import { type OpenSession, settingsIn } from '../open-session.ts'
import {
  type CompactSessionInput,
  commitCompaction,
  draftOf,
  type SessionCompactResult,
  storedTexts,
} from './compact-session.ts'
import { holdLease } from './hold-lease.ts'

/** A compaction that is made before it is due. Nobody waits for it, and nothing is in the log yet. */
export type PreparedCompaction = {
  /** The session that it is made for. */
  readonly open: OpenSession
  readonly input: CompactSessionInput
  readonly result: Promise<CompactResult | undefined>
  readonly cancel: () => void
}

/** How full the context is, in tokens that a model has read, and the policy's trigger and target. */
export type ContextFullness = { readonly tokens: number; readonly trigger?: number; readonly target?: number }

/** True when the policy wants a compaction to be prepared: the trigger is near, but not reached. */
export function isTimeToPrepare(preparePercent: number, { tokens, trigger }: ContextFullness): boolean {
  if (preparePercent === 0 || trigger === undefined) return false
  return tokens < trigger && tokens >= (trigger * preparePercent) / 100
}

/** A digest costs no money, so it is prepared early: also a compaction at the end of some work comes later than this. */
const DIGEST_PERCENT = 50

/** True when it is time to prepare the digest of a session, which needs no model. */
export function isTimeForDigest({ mode, rungs }: Policy, fullness: ContextFullness): boolean {
  return mode === 'auto' && rungs.includes('digest') && isTimeToPrepare(DIGEST_PERCENT, fullness)
}

/** Begins a compaction of the session as it is now. */
export function prepareCompaction(
  live: LiveSession,
  input: CompactSessionInput,
  fullness: ContextFullness,
): PreparedCompaction {
  const { session, view, bad } = live
  const log = [...live.log]
  const stop = new AbortController()
  const context = live.context(settingsIn(input))
  const open: OpenSession = { session: { ...session, revision: view.revision }, log, view, context, bad }
  const sourceTexts = () => storedTexts(live.store, session)
  const policy = { ...input.policy, tokenLimit: limitNow(fullness) }
  const result = loadRedactor()
    .then((redact) => {
      const planned = withSettings(context, { ...context.settings, policy })
      return compactContext(planned, { sourceTexts, redact, pause: pauses(), ...input, signal: stop.signal })
    })
    .then(({ result }) => result)
    .catch(() => undefined)
  return { open, input, result, cancel: () => stop.abort() }
}

/** A token limit has a target of 5/8 of it. */
const LIMIT_PER_TARGET = 8 / 5
/** The step that reaches the trigger exceeds it by about this share. */
const OVERSHOOT = 0.1

/**
 * The token limit to plan with, as if the compaction were due now. It is low enough that the messages until the trigger still
 * fit after it.
 */
function limitNow({ tokens, trigger = 0, target = 0 }: ContextFullness): number {
  const toCome = trigger - tokens + trigger * OVERSHOOT
  return Math.max(1, Math.min(tokens, Math.floor((target - toCome) * LIMIT_PER_TARGET)))
}

/** A prepared compaction that was applied, or why not; `failed` when it has no summary. */
export type PutCompaction =
  | { readonly kind: 'put'; readonly result: SessionCompactResult & { readonly compacted: true } }
  | { readonly kind: 'wasted'; readonly why: string }
  | { readonly kind: 'failed' }

/** The caller that applies a prepared compaction. `onTaken`: from now on nobody else may apply it. */
type Taker = { readonly holder: string; readonly signal: AbortSignal; readonly onTaken: () => void }

/** Applies a prepared compaction if the session has not changed since. If it cannot be used, its cost is noted in the log. */
export async function putPrepared(
  live: LiveSession,
  prepared: PreparedCompaction,
  { holder, signal, onTaken }: Taker,
): Promise<PutCompaction | undefined> {
  // A turn that applies its prepared compaction holds the lease already.
  const lease = await holdLease(live.store, live.id, holder)
  if (!lease.ok) return undefined
  onTaken()
  try {
    return await putNow(live, prepared, signal)
  } finally {
    await lease.release()
  }
}

async function putNow(live: LiveSession, prepared: PreparedCompaction, signal: AbortSignal): Promise<PutCompaction> {
  signal.addEventListener('abort', prepared.cancel, { once: true })
  if (signal.aborted) prepared.cancel()
  const result = await prepared.result
  signal.removeEventListener('abort', prepared.cancel)
  if (result === undefined || !result.compacted) {
    await noteFailure(live, result)
    return { kind: 'failed' }
  }
  const appended = await commitCompaction(live.store, prepared.open, prepared.input, result, [])
  if (appended.ok) return { kind: 'put', result: { ...result, entries: appended.entries } }
  return noteWaste(live, result, appended.reason === 'refused' ? appended.why : 'the view has changed meanwhile')
}

/** Cancels a preparation. Its cost stays in the log. */
export async function dropPreparation(
  live: LiveSession,
  prepared: PreparedCompaction,
  why: string,
): Promise<PutCompaction | undefined> {
  prepared.cancel()
  const result = await prepared.result
  if (result === undefined || result.outcome === 'skipped') return undefined
  try {
    if (result.outcome !== 'failed') return await noteWaste(live, result, why)
    await noteFailure(live, result)
    return { kind: 'failed' }
  } catch (error) {
    // Leaving a session must work even if another process has deleted it.
    if (isUnknownSession(error)) return undefined
    throw error
  }
}

/** Notes a try without a summary: it counts for the breaker, and its cost is kept. */
async function noteFailure(live: LiveSession, result: CompactResult | undefined): Promise<void> {
  if (result?.outcome !== 'failed') return
  await live.append(result.entries.filter(({ type }) => type === 'attempt').map(draftOf))
}

async function noteWaste(live: LiveSession, result: CompactResult, why: string): Promise<PutCompaction> {
  const reason = `A prepared summary was not used: ${why}`
  const { model, usage, cost } = result.compacted ? result : {}
  await live.append([{ type: 'attempt', outcome: 'skipped', reason, model, usage, cost }])
  return { kind: 'wasted', why: reason }
}
