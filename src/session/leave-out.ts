import { type Context, type ContextSettings, driftIn, statusIn } from '../engine/context/context.ts'
import { extendContext } from '../engine/context/open-context.ts'
import { inactiveSeqs } from '../engine/context/view/activity.ts'
import { entryAfter } from '../engine/context/view/log.ts'
import { type LeaveOutPlan, leaveOutPlan, paysOff } from '../engine/plan/leave-out.ts'
import type { LeaveOutSelector } from '../engine/plan/leave-out-targets.ts'
import { leftOutName } from '../engine/report/change-text.ts'
import { coveredText, doesNotFitText, nothingLeftOutText, refusedDropText } from '../engine/report/leave-out-text.ts'
import { PithError } from '../model/problems/errors.ts'
import type { Entry, EntryDraft, EntryOf, Message, Seq } from '../model/types.ts'
import { readHandles } from '../search/handles.ts'
import type { SessionId, Store } from '../store/store.ts'
import { openSession, sessionContext, settingsIn } from './open-session.ts'

/** A session in use, as an agent or a server has it. */
export type LeaveOutSession = {
  readonly live: { readonly id: SessionId; readonly session: { readonly revision: Seq } }
  readonly pending?: readonly Message[]
  context(): Context
}

/** The settings are for a session that is named by its id: its window and its prices, for example. */
export type LeaveOutWish = ContextSettings & {
  /** A model may leave out less. `user` by default. */
  readonly requestedBy?: 'user' | 'model'
  /**
   * `cold`: only when the provider's cache has expired or a compaction is due. `paid`: at once if that saves more than the
   * broken cache costs, or else as with `cold`.
   */
  readonly when?: 'now' | 'cold' | 'paid'
  /** The provider has forgotten the last request, so that there is no cache to lose. */
  readonly cacheCold?: boolean
}

/** The plan of a leave-out, or why the part cannot be left out. */
export type LeaveOutPreview = { readonly ok: true; readonly plan: Extract<LeaveOutPlan, { ok: true }> } | NotChanged

/** The entry of a leave-out and its plan, or why nothing was left out. */
export type LeaveOutResult =
  | { readonly ok: true; readonly entry: EntryOf<'leave-out'>; readonly plan: Extract<LeaveOutPlan, { ok: true }> }
  | NotChanged

/** The entry that put something back and its name, or why nothing was put back. */
export type PutBackResult =
  | { readonly ok: true; readonly entry: EntryOf<'put-back'>; readonly what: string }
  | NotChanged

type NotChanged = {
  readonly ok: false
  readonly code: 'nothing' | 'covered' | 'does-not-fit' | 'superseded'
  readonly reason: string
}

/**
 * Leaves parts out of the view, or notes the wish to do so later. They are named as in `/leave-out`: `#40`, `#40-#71`,
 * `#3, #7`, `turn:#40`, `tool:bash`, `file:src/a.ts`. Nothing is deleted: `putBack` and undo bring them back.
 */
export async function leaveOut(
  store: Store,
  session: SessionId | LeaveOutSession,
  what: string | LeaveOutSelector,
  wish: LeaveOutWish = {},
): Promise<LeaveOutResult> {
  const open = await openedFor(store, session, wish)
  const preview = planned(open, what, wish)
  if (!preview.ok) return preview
  const { draft, cost } = preview.plan
  const waits = wish.when === 'cold' || (wish.when === 'paid' && !paysOff(cost))
  // A wish changes nothing yet, so both sizes are those of today.
  const wished = { ...draft, waits: true as const, tokensAfter: draft.tokensBefore }
  const asked = waits && wish.cacheCold !== true ? wished : draft
  const { live } = open
  const appended = await store.append(live.id, [asked], { revision: live.session.revision })
  const entry = appended.ok ? appended.entries[0] : undefined
  return entry?.type === 'leave-out' ? { ok: true, entry, plan: { ...preview.plan, draft: asked } } : SUPERSEDED
}

/** Says what leaving out parts of the view now would free and cost, and what would stay. It changes nothing. */
export async function previewLeaveOut(
  store: Store,
  session: SessionId | LeaveOutSession,
  what: string | LeaveOutSelector,
  wish: LeaveOutWish = {},
): Promise<LeaveOutPreview> {
  return planned(await openedFor(store, session, wish), what, wish)
}

async function openedFor(
  store: Store,
  session: SessionId | LeaveOutSession,
  settings: ContextSettings,
): Promise<LeaveOutSession> {
  if (typeof session !== 'string') return session
  const open = await openSession(store, session)
  const context = sessionContext(open, settingsIn(settings))
  return { live: { id: session, session: open.session }, context: () => context }
}

function planned(
  session: LeaveOutSession,
  what: string | LeaveOutSelector,
  { requestedBy = 'user', cacheCold }: LeaveOutWish,
): LeaveOutPreview {
  const selector = typeof what === 'string' ? readSelector(what) : what
  const plan = leaveOutPlan(session.context(), selector, { requestedBy, pending: session.pending, cacheCold })
  if (plan.ok) return { ok: true, plan }
  const { reason, kept, nearest } = plan
  const name = selectorText(selector)
  const isModel = requestedBy === 'model'
  const why = isModel ? refusedDropText(name, reason, kept, nearest) : nothingLeftOutText(name, reason, kept)
  return { ok: false, code: 'nothing', reason: why }
}

const SUPERSEDED: NotChanged = {
  ok: false,
  code: 'superseded',
  reason: 'another process is changing the session: check it and try again',
}

/**
 * Puts back everything that hides this entry: its handle is that of a message or of the leave-out itself. A part that a record
 * covers now cannot be put back, and a model cannot put back what the user left out.
 */
export async function putBackLeftOut(
  store: Store,
  session: SessionId | LeaveOutSession,
  seq: Seq,
  { requestedBy = 'user', ...settings }: ContextSettings & Pick<LeaveOutWish, 'requestedBy'> = {},
): Promise<PutBackResult> {
  const open = await openedFor(store, session, settings)
  const { live, pending } = open
  const context = open.context()
  const hiding = activeLeaveOuts(context).filter((entry) => entry.seq === seq || hides(entry, seq))
  const [first] = hiding
  if (first === undefined) return { ok: false, code: 'nothing', reason: `#${seq} is not left out` }
  const name = leftOutName(first)
  if (requestedBy === 'model' && hiding.some((entry) => entry.requestedBy === 'user'))
    return { ok: false, code: 'nothing', reason: `the user left out ${name}: recall shows it` }
  const inView = new Set(leftOutInView(context))
  if (!hiding.some((entry) => entry.waits === true || inView.has(entry.seq)))
    return { ok: false, code: 'covered', reason: coveredText(name, first.targets[0]?.from ?? seq) }
  const wishes = hiding.flatMap(({ wish }) => (wish === undefined ? [] : [wish]))
  const before = statusIn(context, pending)
  const draft: Extract<EntryDraft, { type: 'put-back' }> = {
    type: 'put-back',
    leaveOuts: [...new Set([...hiding.map((entry) => entry.seq), ...wishes])],
    ...(requestedBy === 'model' ? { requestedBy } : {}),
    tokensBefore: before.tokens,
    tokensAfter: before.tokens,
    drift: driftIn(context, pending),
  }
  const { tokens } = statusIn(extendContext(context, entryAfter(context.log.last, draft)), pending)
  const { limit = Number.POSITIVE_INFINITY } = context.budget
  if (tokens > limit && tokens > before.tokens)
    return { ok: false, code: 'does-not-fit', reason: doesNotFitText(name, tokens, limit) }
  const appended = await store.append(live.id, [{ ...draft, tokensAfter: tokens }], {
    revision: live.session.revision,
  })
  const entry = appended.ok ? appended.entries[0] : undefined
  return entry?.type === 'put-back' ? { ok: true, entry, what: name } : SUPERSEDED
}

function hides({ targets }: EntryOf<'leave-out'>, seq: Seq): boolean {
  return targets.some(({ from, upTo }) => from <= seq && seq <= upTo)
}

/** The leave-outs that are neither undone nor put back. */
export function activeLeaveOuts({ log }: Pick<Context, 'log'>): EntryOf<'leave-out'>[] {
  const entries = log.slice()
  const inactive = inactiveSeqs(entries)
  return entries.filter((entry) => entry.type === 'leave-out' && !inactive.has(entry.seq)) as EntryOf<'leave-out'>[]
}

/** The leave-outs that the view shows as a line or a note; the others are covered by a record. */
function leftOutInView({ view }: Pick<Context, 'view'>): readonly Seq[] {
  return view.items.slice().flatMap((item) => (item.kind === 'message' && item.leftOut ? [item.leftOut.by] : []))
}

/** The wishes that were not fulfilled yet. Undoing a fulfilled one ends the wish as well: otherwise it would be done again at once. */
export function waitingLeaveOuts(context: Pick<Context, 'log'>): EntryOf<'leave-out'>[] {
  const done = new Set(context.log.slice().flatMap((entry) => (entry.type === 'leave-out' ? (entry.wish ?? []) : [])))
  return activeLeaveOuts(context).filter(({ seq, waits }) => waits === true && !done.has(seq))
}

/** The entries that fulfil the waiting wishes now, for a moment in which the cache is lost anyway. */
export function fulfilledWishes(context: Context, pending: readonly Message[] = []): EntryDraft[] {
  const drafts: EntryDraft[] = []
  let now = context
  for (const { seq, targets, what, requestedBy } of waitingLeaveOuts(context)) {
    const plan = leaveOutPlan(now, { kind: 'targets', targets, what }, { requestedBy, pending, cacheCold: true })
    if (!plan.ok) continue
    const draft = { ...plan.draft, wish: seq }
    drafts.push(draft)
    now = extendContext(now, entryAfter(now.log.last, draft))
  }
  return drafts
}

/** Fulfils the waiting wishes of a session whose cache has expired. Returns the new entries. */
export async function fulfilWishes(store: Store, session: LeaveOutSession): Promise<readonly Entry[]> {
  const { live, pending } = session
  const context = session.context()
  if (waitingLeaveOuts(context).length === 0) return []
  const drafts = fulfilledWishes(context, pending)
  if (drafts.length === 0) return []
  const appended = await store.append(live.id, drafts, { revision: live.session.revision })
  return appended.ok ? appended.entries : []
}

/** Reads what to leave out, as people write it: `#40`, `#40-#71`, `#3, #7`, `turn:#40`, `tool:bash`, `file:src/a.ts`, `superseded`. */
function readSelector(text: string): LeaveOutSelector {
  if (text.trim() === 'superseded') return { kind: 'superseded' }
  const [, kind, name = ''] = /^(tool|file|turn):(.*)$/s.exec(text.trim()) ?? []
  const value = name.trim()
  if (kind !== undefined && value === '') throw new PithError('bad-argument', `${kind}: what? Write ${EXAMPLES[kind]}`)
  if (kind === 'tool') return { kind, tool: value }
  if (kind === 'file') return { kind, file: value }
  const ranges = readHandles(kind === 'turn' ? value : text)
  const [range, another] = ranges
  if (range === undefined || (another !== undefined && kind === 'turn'))
    throw new PithError('bad-argument', 'name one turn by one of its messages: turn:#40')
  if (another !== undefined) return { kind: 'targets', targets: ranges.map((one) => ({ ...one, tokens: 0 })) }
  return kind === 'turn' ? { kind, of: range.from } : { kind: 'range', ...range }
}

const EXAMPLES: Readonly<Record<string, string>> = { tool: 'tool:bash', file: 'file:src/a.ts', turn: 'turn:#40' }

function selectorText(selector: LeaveOutSelector): string {
  switch (selector.kind) {
    case 'range':
      return selector.from === selector.upTo ? `#${selector.from}` : `#${selector.from}–#${selector.upTo}`
    case 'turn':
      return `the turn of #${selector.of}`
    case 'tool':
      return `tool:${selector.tool}`
    case 'file':
      return `file:${selector.file}`
    case 'superseded':
      return selector.kind
    case 'targets':
      return leftOutName(selector)
  }
}
