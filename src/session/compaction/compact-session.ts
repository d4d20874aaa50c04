import { isDeepStrictEqual } from 'node:util'
import { type CompactInput, type ContextResult, compactContext, untouched } from '../../engine/compact/compact.ts'
import { dueCompaction, type PreviewResult, previewOf } from '../../engine/compact/preview.ts'
import { logTexts } from '../../engine/compact/verify/verify.ts'
import { type Context, estimateIn, withSettings } from '../../engine/context/context.ts'
import { extendContext } from '../../engine/context/open-context.ts'
import { requestOf } from '../../engine/context/view/request.ts'
import { validate } from '../../engine/context/view/validate.ts'
import { type Bounds, excessOf } from '../../engine/plan/bounds.ts'
import { overText } from '../../engine/report/change-text.ts'
import { busyReason } from '../../engine/report/outcome.ts'
import { pauses } from '../../fit/pauses.ts'
import type { CompactEvent, CompactResult, SkipReason, UnchangedContext } from '../../model/compact-result.ts'
import { messageOf } from '../../model/problems/errors.ts'
import type { Entry, EntryDraft, Message, Seq, SummaryModel, View } from '../../model/types.ts'
import { loadRedactor } from '../../secrets/load-redactor.ts'
import type { AppendResult, Session, SessionId, Store } from '../../store/store.ts'
import type { Budget } from '../../tokens/budget.ts'
import { messagesTokens } from '../../tokens/estimate/estimator.ts'
import { sizesAgain, unreadOf } from '../../tokens/sizes.ts'
import { emitProgress } from '../events/session-events.ts'
import { fulfilledWishes, waitingLeaveOuts } from '../leave-out.ts'
import { keepSummaries, type OpenSession, openSession, openUpTo, sessionContext, settingsIn } from '../open-session.ts'
import { holdLease } from './hold-lease.ts'
import { canDigest, grownSince, pauseAppends, triesOf, withoutModels, withRoomFor } from './next-try.ts'

/**
 * The options of a compaction of a stored session: those of `compact` without the log, which the store has. With `upTo`, what
 * comes after the answer to that entry may be of any size: a client holds it, and decides about it.
 */
export type CompactSessionInput = Omit<CompactInput, 'log' | 'view' | 'ids'> & {
  /** Our name, for other processes that would do the same work meanwhile. */
  readonly holder: string
  /** The session as the caller has it in memory: it is read only if it turns out that others have changed it since. */
  readonly open?: OpenSession
  /** The result is appended under this key, so that the work is done once. A failure is not, so it may be tried again. */
  readonly key?: string
  /** How long the lease of a process that died blocks others. */
  readonly leaseMs?: number
}

/** The engine's result; or another process works in the session, or has changed it meanwhile. */
export type SessionCompactResult = CompactResult | (UnchangedContext & BusyOrLate)

type BusyOrLate =
  | { readonly outcome: 'busy'; readonly holder: string }
  /** Its view has changed, or the messages that came meanwhile do not fit after the compaction. */
  | { readonly outcome: 'skipped'; readonly skip: 'superseded' | 'outgrown' }

/** Why a compaction of a stored session is skipped. */
export type SessionSkipReason = SkipReason | 'superseded' | 'outgrown'

/** Compacts a stored session by its id: read, decide, act, accept, and commit only if its view is still the same. */
export async function compactSession(
  store: Store,
  id: SessionId,
  input: CompactSessionInput,
): Promise<SessionCompactResult> {
  return (await compactOpenSession(store, id, input)).result
}

/** The result and, if no message came meanwhile, the Context after the compaction. */
type SessionContextResult = { readonly result: SessionCompactResult; readonly context?: Context }

/** The same for a caller that holds the session. */
export async function compactOpenSession(
  store: Store,
  id: SessionId,
  input: CompactSessionInput,
): Promise<SessionContextResult> {
  const lease = await holdLease(store, id, input.holder, input.leaseMs)
  if (!lease.ok) {
    const open = await openSession(store, id)
    const { holder } = lease
    const reason = busyReason(holder)
    return { result: emitSkip(store, open, { ...contextOf(open, input), outcome: 'busy', holder, reason }) }
  }
  try {
    return await tryUntilCommitted(store, id, input)
  } finally {
    await lease.release()
  }
}

/** The same with the model that writes the summary as an argument. */
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
  given: CompactSessionInput,
): Promise<SessionContextResult> {
  const lost: EntryDraft[] = []
  const letOthersRun = pauses()
  let open = counted(given.open ?? (await openPart(store, id, given)), given)
  const wished = await leaveOutWished(store, open, given)
  // The last request, which a warm model would continue, still has what was left out.
  const input = wished ? { ...given, warm: undefined } : given
  if (wished) open = counted(await openPart(store, id, input), input)
  const { policy } = open.context
  const tries = triesOf(input, policy)
  let before: OpenSession | undefined
  for (let number = 1; ; number++) {
    const isLast = number === tries
    const pause = isLast && canDigest(policy) ? await pauseAppends(store, id) : undefined
    const writer = pause?.store ?? store
    try {
      if (number > 1) open = counted(await openPart(writer, id, input), input)
      const grown = before === undefined ? 0 : grownSince(before, open, input)
      before = open
      const planned = pause === undefined ? withRoomFor(grown, open, input) : withoutModels(input)
      const { result, context } = await compactOpen(store, open, planned, number)
      const isNothing = result.entries.length + lost.length === 0
      // A compaction with nothing to do appends no entry, but its key has to be remembered.
      if (isNothing && input.key === undefined) return { result: emitSkip(store, open, result) }
      const appended = await commitCompaction(writer, open, input, result, lost)
      if (appended.ok) {
        await letOthersRun()
        const { entries } = appended
        const isTaken = result.compacted && isUnmoved(entries, result)
        if (isTaken) await keepSummaries(store, id, { log: [...open.log, ...entries], view: result.view })
        const done = emitSkip(store, open, { ...result, entries: appended.entries })
        return isTaken ? { result: done, context: withSettings(context, settingsIn(input)) } : { result: done }
      }
      const isSuperseded = appended.reason === 'superseded'
      const reason = isSuperseded ? 'The view has changed meanwhile' : appended.why
      lost.push(...paidFor(result, reason))
      if (!isLast) continue
      const noted = await writer.append(id, lost, { key: input.key })
      const skipped = {
        ...contextOf(open, input),
        outcome: 'skipped',
        skip: isSuperseded ? 'superseded' : 'outgrown',
        reason,
        entries: noted.ok ? noted.entries : [],
      } as const
      return { result: emitSkip(store, open, skipped) }
    } finally {
      await pause?.resume()
    }
  }
}

async function openPart(store: Store, id: SessionId, { upTo }: CompactSessionInput): Promise<OpenSession> {
  const open = await openSession(store, id)
  return upTo === undefined ? open : openUpTo(open, upTo)
}

/** The session with its Context, so that each step of a try need not open it. */
function counted(open: OpenSession, input: CompactSessionInput): OpenSession & { readonly context: Context } {
  return { ...open, context: sessionContext(open, settingsIn(input)) }
}

/**
 * Leaves out what the user wished to leave out at the next compaction: the summariser must not get it, and it may be enough.
 * Returns whether anything was left out.
 */
async function leaveOutWished(
  store: Store,
  { context, session }: OpenSession & { readonly context: Context },
  input: CompactSessionInput,
): Promise<boolean> {
  if (input.upTo !== undefined || waitingLeaveOuts(context).length === 0) return false
  const isDue = (input.reason ?? 'manual') === 'manual' || dueCompaction(context, input).kind === 'compact'
  const drafts = isDue ? fulfilledWishes(context, input.pending) : []
  if (drafts.length === 0) return false
  return (await store.append(session.id, drafts, { revision: session.revision })).ok
}

/** True when the entries have the positions that the view was made for: nothing was appended meanwhile. */
function isUnmoved(entries: readonly Entry[], result: CompactResult): boolean {
  return entries.length === result.entries.length && entries[0]?.seq === result.entries[0]?.seq
}

/** The entry for a summary that came too late: it was paid for anyway. */
function paidFor(result: CompactResult, reason: string): EntryDraft[] {
  if (!result.compacted || result.usage === undefined) return []
  const { model, usage, cost } = result
  return [{ type: 'attempt', outcome: 'skipped', reason, model, usage, cost }]
}

/** Compacts, and sends each step to the listeners of the session on this store. */
async function compactOpen(
  store: Store,
  open: OpenSession,
  input: CompactSessionInput,
  tries: number,
): Promise<ContextResult> {
  const { session } = open
  const { id, lastSeq: after } = session
  const onEvent = (step: CompactEvent) => {
    const event = step.type === 'start' && tries > 1 ? { ...step, again: true as const } : step
    emitProgress(store, { after, event: { type: 'compaction', session: id, event } })
    input.onEvent?.(event)
  }
  try {
    const redact = input.redact ?? (await loadRedactor())
    return await compactContext(sessionContext(open, settingsIn(input)), {
      sourceTexts: () => storedTexts(store, session),
      pause: pauses(),
      ...input,
      redact,
      onEvent,
    })
  } catch (error) {
    const event = { type: 'compaction-failed', session: id, reason: messageOf(error) } as const
    emitProgress(store, { after, event })
    throw error
  }
}

/** Returns its argument. A skipped compaction has no entry in the log, so its event is sent here; all other outcomes have one. */
function emitSkip(store: Store, { session }: OpenSession, result: SessionCompactResult): SessionCompactResult {
  if (result.outcome !== 'skipped' && result.outcome !== 'busy') return result
  const why = result.outcome === 'busy' ? { busy: result.holder } : { skip: result.skip }
  const event = { type: 'compaction-skipped', session: session.id, reason: result.reason, ...why } as const
  emitProgress(store, { after: session.lastSeq, event })
  return result
}

function contextOf(open: OpenSession, input: CompactSessionInput) {
  return untouched(sessionContext(open, settingsIn(input)), input)
}

/**
 * Appends the entries of a compaction, after those for the cost of earlier tries, in one transaction. It does so only if the
 * view's revision is unchanged, and the context still fits with the messages that came meanwhile.
 */
export function commitCompaction(
  store: Store,
  open: OpenSession,
  input: CompactSessionInput,
  result: CompactResult,
  lost: readonly EntryDraft[],
): Promise<AppendResult> {
  const drafts = [...lost, ...result.entries.map(draftOf)]
  // A compaction that was not made changes no view. Its entry counts for the breaker, whatever happened meanwhile.
  if (!result.compacted) {
    return store.append(open.session.id, drafts, { key: result.outcome === 'failed' ? undefined : input.key })
  }
  return store.append(open.session.id, drafts, {
    key: input.key,
    revision: open.session.revision,
    guard: { since: open.session.lastSeq, check: (later) => whyNot(open, input, result, later) },
  })
}

/** Why the compaction may not be committed after these later entries. */
function whyNot(
  open: OpenSession,
  input: CompactSessionInput,
  result: CompactResult,
  later: readonly Entry[],
): string | undefined {
  if (later.length === 0) return undefined
  const opened = sessionContext(open, settingsIn(input))
  // The plan and this check must use the same estimator: token counts that were reported meanwhile are ignored.
  const planned = withSettings(opened, { ...opened.settings, estimator: opened.estimator })
  const last = later.at(-1)?.seq ?? 0
  const moved = result.entries.map((entry, i): Entry => ({ ...entry, seq: last + 1 + i }))
  const now = [...later, ...moved].reduce(extendContext, planned)
  if (losesPinned(open, now.view, later)) return 'A message that it would replace was pinned meanwhile'
  const [problem] = validate(requestOf(now.view, input.pending).messages, { pending: 'allowed' })
  if (problem !== undefined) return `The messages that came meanwhile do not fit: ${problem.text}`
  if (!planned.policy.fitTarget || input.upTo !== undefined) return undefined
  const pending = messagesTokens(input.pending ?? [], planned.estimator)
  const sizesIn = (context: Context): Fullness => ({
    tokens: estimateIn(context, input.pending),
    unread: unreadOf(context.sizes, pending).tokens,
  })
  const { view } = result
  const made = { ...planned, view, sizes: sizesAgain(planned.sizes, view.items, planned.estimator) }
  const { tokens, unread } = sizesIn(now)
  const excess = excessOf(tokens, unread, boundsIn(planned.budget, sizesIn(made)))
  return excess && `With the messages that came meanwhile the context ${overText(excess)}`
}

/** True when a message that was pinned meanwhile is not in the view as it was: the plan did not know of the pin. */
function losesPinned(open: OpenSession, view: View, later: readonly Entry[]): boolean {
  const pins = new Map(later.flatMap((entry) => (entry.type === 'pin' ? [[entry.target, entry.on]] : [])))
  return [...pins].some(([target, isOn]) => {
    if (!isOn) return false
    const before = messageIn(open.view, target)
    return before !== undefined && !isDeepStrictEqual(messageIn(view, target), before)
  })
}

function messageIn({ items }: View, seq: Seq): Message | undefined {
  return items.slice().find((item) => item.kind === 'message' && item.seq === seq)?.message
}

type Fullness = { readonly tokens: number; readonly unread: number }

/** The policy's bounds; if the compaction could not reach them, those that it did reach. */
function boundsIn({ target, limit, ceiling }: Budget, { tokens, unread }: Fullness): Pick<Bounds, 'target' | 'limit'> {
  const infinite = Number.POSITIVE_INFINITY
  return {
    target: Math.max(target ?? infinite, tokens - unread),
    limit: (tokens > (limit ?? infinite) ? ceiling : limit) ?? infinite,
  }
}

/** The entry without what a log gives it. */
export function draftOf({ id: _, seq: __, at: ___, ...draft }: Entry): EntryDraft {
  return draft as EntryDraft
}

/** The texts of all stored messages, and the folder of the session: an open session holds only the messages that its view needs. */
export async function storedTexts(store: Store, { id, workspace, lastSeq }: Session): Promise<readonly string[]> {
  const { entries } = await store.entries(id, { upTo: lastSeq, only: 'messages' })
  return [...logTexts(entries), workspace]
}

/** Previews a compaction of the session: its result and its price. Nothing changes. */
export async function previewSession(
  store: Store,
  id: SessionId,
  input: Omit<CompactSessionInput, 'holder'>,
): Promise<PreviewResult> {
  const open = await openSession(store, id)
  return previewOf(sessionContext(open, settingsIn(input)), input)
}
