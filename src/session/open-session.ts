import type { Context } from '../engine/context/context.ts'
import { inactiveSeqs } from '../engine/context/view/activity.ts'
import type { Made } from '../engine/context/view/made.ts'
import { putBackIn } from '../engine/context/view/put-back.ts'
import { repairDraft } from '../engine/context/view/repair.ts'
import { rangesLeft } from '../engine/context/view/replaced-range.ts'
import { foldLog } from '../engine/context/view/view-of.ts'
import type { Entry } from '../model/entry.ts'
import type { View } from '../model/view.ts'
import type { BadRow, Session, SessionId, Store, StoredSummary } from '../store/store.ts'
import { unknownSession } from '../store/unknown-session.ts'
import { keepSummaries, withLiveSummaries } from './kept-summaries.ts'

/**
 * A session as far as its current view needs it: all changes, and the messages that no summary replaces. A compaction that a
 * later one replaced comes without its facts, because the live one has them all. After an undo, open the session again.
 */
export type OpenSession = {
  readonly session: Session
  readonly log: readonly Entry[]
  readonly view: View
  /** What a fold of the log need not make again … */
  readonly made?: Made
  /** … and all that follows from it, where somebody holds that. */
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

/** The session after its repair. No record depends on that: they are kept for the view as it is now. */
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

/** The session as it is stored, without a repair: for those who only look at it. */
export async function peekSession(store: Store, id: SessionId): Promise<OpenSession> {
  return (await readSession(store, id)).open
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
