import { type Context, type ContextSettings, withSettings } from '../engine/context/context.ts'
import { openContext } from '../engine/context/open-context.ts'
import { inactiveSeqs } from '../engine/context/view/activity.ts'
import { EMPTY_FOLD_CACHE, type FoldCache } from '../engine/context/view/plain-view.ts'
import { repairDraft } from '../engine/context/view/repair.ts'
import { putBackIn, rangesLeft } from '../engine/context/view/replaced-range.ts'
import { itemWithoutIndex, type LiveSummary, type RenderedSummary } from '../engine/context/view/summary-item.ts'
import { foldLog, liveSummaries, viewOf } from '../engine/context/view/view-of.ts'
import { removableCount } from '../engine/plan/plan-shape.ts'
import type { PolicyPatch } from '../model/policy/policy.ts'
import type { ReasoningChoice } from '../model/policy/policy-schema.ts'
import type { Entry, EntryOf, Index, Message, Seq, View } from '../model/types.ts'
import { asciiJson } from '../store/rows/stored-entry.ts'
import {
  type BadRow,
  type Session,
  type SessionId,
  type Store,
  type StoredSummary,
  unknownSession,
} from '../store/store.ts'

/**
 * The part of a session that its current view needs: all changes, and the messages that no summary replaces. A compaction that
 * a later one replaced comes without its facts, because the live one has them all. After an undo, open the session again.
 */
export type OpenSession = {
  readonly session: Session
  readonly log: readonly Entry[]
  readonly view: View
  /** Parts that are already made, so that a fold of the log need not make them again. */
  readonly made?: FoldCache
  /** The Context of the log, if the caller has it already. */
  readonly context?: Context
  /** Rows that cannot be read. They are set aside. */
  readonly bad: readonly BadRow[]
}

/** Opens a session. The time depends on its view, not on its log. A history that no provider would accept is repaired first. */
export async function openSession(store: Store, id: SessionId): Promise<OpenSession> {
  let read = await readSession(store, id)
  for (let tries = 0; tries < REPAIR_TRIES; tries++) {
    const { open } = read
    const { items } = open.view
    const repair = items.isPlainlyValid ? undefined : repairDraft(items.slice(), { pending: 'allowed' })
    if (repair === undefined) break
    const appended = await store.append(id, [repair], { revision: open.session.revision })
    const entry = appended.ok ? appended.entries[0] : undefined
    // It may be superseded: another process changed the view meanwhile, and may have repaired it too.
    const isNext = entry !== undefined && entry.seq === open.session.lastSeq + 1
    read = isNext ? await withRepair(store, read, entry) : await readSession(store, id)
  }
  return read.open
}

/** The session after its repair. A repair does not change the records, so they are kept for the new revision. */
async function withRepair(store: Store, { open, summaries }: ReadSession, entry: Entry): Promise<ReadSession> {
  const { session, made } = open
  const log = [...open.log, entry]
  if (summaries.length > 0) await store.keepSummaries(session.id, entry.seq, summaries).catch(() => undefined)
  const now = { ...session, revision: entry.seq, lastSeq: entry.seq, updatedAt: entry.at }
  return { open: { ...open, session: now, log, ...foldLog(log, made) }, summaries }
}

const REPAIR_TRIES = 5

/** The session. An unknown one is an error. */
export async function requireSession(store: Store, id: SessionId): Promise<Session> {
  const session = await store.session(id)
  if (session === undefined) throw unknownSession(id)
  return session
}

/** The session as it is stored, without a repair: for callers that only read it. */
export async function peekSession(store: Store, id: SessionId): Promise<OpenSession> {
  return (await readSession(store, id)).open
}

/**
 * The session up to this entry and the model's answer to it, with the pins of today: those are the user's word, also for a
 * part. Without the answer, the messages before it would seem to wait for one.
 */
export function openUpTo({ session, log, view, bad }: OpenSession, upTo: Seq): OpenSession {
  const next = view.items.at(removableCount({ view, upTo }))
  const end = next?.message.role === 'assistant' ? next.place : upTo
  const before = log.filter(({ seq, type }) => seq <= end || type === 'pin')
  return { session: { ...session, lastSeq: end }, log: before, view: viewOf(before), bad }
}

/** A session with the summaries that were kept for its view. */
type ReadSession = { readonly open: OpenSession; readonly summaries: readonly StoredSummary[] }

async function readSession(store: Store, id: SessionId): Promise<ReadSession> {
  const session = await requireSession(store, id)
  const upTo = session.lastSeq
  const light = await store.entries(id, { only: 'changes', upTo, light: true })
  const { changes, live, made, bad, summaries } = await withLiveSummaries(store, session, light.entries)
  const back = putBackIn(changes, inactiveSeqs(changes))
  const needed = rangesLeft(
    live.map(({ entry }) => entry),
    back,
  )
  const pages = await Promise.all(
    needed.map((range) => store.entries(id, { ...range, upTo: Math.min(range.upTo ?? upTo, upTo), only: 'messages' })),
  )
  const log = inOrder(changes, ...pages.map((page) => page.entries))
  const open = {
    session,
    log,
    ...foldLog(log, made),
    bad: [...light.bad, ...bad, ...pages.flatMap((page) => page.bad)],
  }
  return { open, summaries: summaries ?? (await keepSummaries(store, id, open)) }
}

/** Merges parts of a log. Most logs have only one part. */
function inOrder(...parts: readonly (readonly Entry[])[]): readonly Entry[] {
  const [first, second] = parts.filter((part) => part.length > 0)
  if (second === undefined) return first ?? []
  return parts.flat().toSorted((a, b) => a.seq - b.seq)
}

/**
 * The changes of a session, with the live summaries and their facts. These come from the summaries that are kept next to the
 * log, or else from the log. A compaction that cannot be read is left out.
 */
async function withLiveSummaries(
  store: Store,
  { id, revision }: Pick<Session, 'id' | 'revision'>,
  light: readonly Entry[],
): Promise<LiveChanges> {
  const live = light.some(({ type }) => type === 'compaction') ? liveSummaries(light) : []
  if (live.length === 0) return { changes: light, live, made: EMPTY_FOLD_CACHE, bad: [], summaries: [] }
  const stored = new Map(
    (await store.summaries(id, revision)).filter(isCurrent).map((summary) => [summary.seq, summary]),
  )
  const whole = new Map<Seq, Entry>()
  const records: RenderedSummary[] = []
  const missing: Seq[] = []
  for (const summary of live) {
    const known = stored.get(summary.entry.seq)
    if (known !== undefined) {
      const record = restored(summary, known)
      records.push(record)
      whole.set(known.seq, record.live.entry)
    } else missing.push(...summary.sources.map(({ seq }) => seq))
  }
  const { entries, bad } =
    missing.length === 0 ? { entries: [], bad: [] } : await store.entries(id, { seqs: missing, only: 'changes' })
  if (bad.length > 0) {
    const unreadable = new Set(bad.map((row) => row.seq))
    const rest = light.filter((entry) => !unreadable.has(entry.seq))
    const again = await withLiveSummaries(store, { id, revision }, rest)
    return { ...again, bad: [...bad, ...again.bad] }
  }
  for (const entry of entries) whole.set(entry.seq, entry)
  const changes = light.map((entry) => whole.get(entry.seq) ?? entry)
  const summaries = missing.length === 0 ? [...stored.values()] : undefined
  return { changes, live, made: { ...EMPTY_FOLD_CACHE, records }, bad, summaries }
}

/** The changes of a session with their live summaries, and these as they were rendered before. */
type LiveChanges = {
  readonly changes: readonly Entry[]
  readonly live: readonly LiveSummary[]
  readonly made: FoldCache
  readonly bad: readonly BadRow[]
  /** The summaries that were kept; undefined if one was missing. */
  readonly summaries: readonly StoredSummary[] | undefined
}

/** Keeps the live summaries of a view for the next time that the log is folded or the session is opened. */
export async function keepSummaries(
  store: Store,
  id: SessionId,
  { log, view }: { readonly log: readonly Entry[]; readonly view: View },
): Promise<readonly StoredSummary[]> {
  const items = new Map(view.items.slice().map((item) => [item.seq, item]))
  // Messages make no difference to a summary, and there are many.
  const summaries = liveSummaries(log.filter(({ type }) => type !== 'message')).flatMap((summary): StoredSummary[] => {
    const { entry } = summary
    const item = items.get(entry.seq)
    if (item?.kind !== 'summary') return []
    const { summary: words, parts } = entry
    const body: Body = { rendering: RENDERING, summary: words, parts, text: item.text, message: item.message }
    return [{ seq: entry.seq, body: asciiJson(body), facts: asciiJson(item.index) }]
  })
  // This only saves work: a session that cannot be written to must open, too.
  await store.keepSummaries(id, view.revision, summaries).catch(() => undefined)
  return summaries
}

/** Raise it when the text of a record changes: summaries that an earlier version rendered are then rendered again. */
const RENDERING = 6

type Body = Pick<EntryOf<'compaction'>, 'summary' | 'parts'> & {
  readonly rendering: number
  readonly text: string
  readonly message: Message
}

function isCurrent({ body }: StoredSummary): boolean {
  return (JSON.parse(body) as Body).rendering === RENDERING
}

/** The compaction of a stored summary. Its facts include those of all compactions that it replaced. */
function restored(live: LiveSummary, { body, facts }: StoredSummary): RenderedSummary {
  const { summary, parts, text, message } = JSON.parse(body) as Body
  let index: Index | undefined
  // There may be many facts, and few callers read them: they are parsed on demand.
  const parsed = () => (index ??= JSON.parse(facts) as Index)
  const entry: EntryOf<'compaction'> = {
    ...live.entry,
    summary,
    parts,
    get indexDelta() {
      return parsed()
    },
  }
  const sources = live.sources.map((source) => (source === live.entry ? entry : source))
  const kept = { ...live, entry, text, sources }
  const item = {
    ...itemWithoutIndex(kept, message),
    get index() {
      return parsed()
    },
  }
  return { live: kept, item }
}

/** The Context of an open session with these settings. */
export function sessionContext(open: OpenSession, settings: ContextSettings): Context {
  const { log, view, made = EMPTY_FOLD_CACHE, context } = open
  return context === undefined ? openContext(log, settings, { view, made }) : withSettings(context, settings)
}

/** The settings among the fields of an input. */
export function settingsIn({ policy, model, fixed, estimator }: ContextSettings): ContextSettings {
  return { policy, model, fixed, estimator }
}

/** The user's choices for one session: its model, how much models think, and policy settings that override the configuration. */
export type SessionSettings = {
  readonly model?: string
  readonly policy: PolicyPatch
  /** By the model's name. */
  readonly reasoning: ReadonlyMap<string, ReasoningChoice>
  /** The messages whose images a model refused, by the model's name. */
  readonly refusedImages: ReadonlyMap<string, ReadonlySet<Seq>>
  /** True in plan mode. */
  readonly planning: boolean
  /** The permission mode that the user chose last. */
  readonly permissions?: string
}

/** The settings of a session. The last value of each counts. */
export function sessionSettings(log: readonly Entry[]): SessionSettings {
  let settings: SessionSettings = { policy: {}, reasoning: new Map(), refusedImages: new Map(), planning: false }
  for (const entry of log) {
    if (entry.type !== 'settings') continue
    const { model, policy, reasoning, refused, planning, permissions } = entry
    settings = {
      model: model ?? settings.model,
      planning: planning ?? settings.planning,
      permissions: permissions ?? settings.permissions,
      reasoning:
        reasoning === undefined
          ? settings.reasoning
          : new Map(settings.reasoning).set(reasoning.model, reasoning.level),
      refusedImages:
        refused === undefined
          ? settings.refusedImages
          : new Map(settings.refusedImages).set(
              refused.model,
              new Set([...(settings.refusedImages.get(refused.model) ?? []), ...refused.images]),
            ),
      // Another preset is a fresh start: earlier settings belonged to the old one.
      policy: policy?.preset === undefined ? { ...settings.policy, ...policy } : policy,
    }
  }
  return settings
}

/** The policy of a session: its own settings over those of the configuration. */
export function sessionPolicy(log: readonly Entry[], configured: PolicyPatch): PolicyPatch {
  return policyOver(configured, sessionSettings(log).policy)
}

/** Merges two policies. A patch with a preset replaces the old one: earlier settings belonged to the old preset. */
export function policyOver(before: PolicyPatch, patch: PolicyPatch): PolicyPatch {
  return patch.preset === undefined ? { ...before, ...patch } : patch
}
