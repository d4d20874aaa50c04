import { allLearnedFrom } from '../../engine/context/measure/calibration.ts'
import { repairDraft } from '../../engine/context/view/repair.ts'
import { viewOf } from '../../engine/context/view/view-of.ts'
import type { DecodedSession } from '../../formats/decoded-session.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { Entry, EntryDraft } from '../../model/types.ts'
import type { AppendOptions, Session, SessionId, Store } from '../../store/store.ts'
import { draftOf } from '../compaction/compact-session.ts'
import { agentTitle } from '../session-title.ts'
import { createTaskSession, namedSidechains, tasksOf } from '../tasks.ts'
import { type KnownModels, originOf } from './origin.ts'

export type ImportInput = {
  readonly owner: string
  /** The workspace of a session that does not name one. */
  readonly workspace: string
  readonly known: KnownModels
  /** A second import with the same key imports nothing and answers with the session of the first. */
  readonly key?: string
  /** Names the file, so that another file under the same key does not count as a repetition. */
  readonly file?: string
}

/** Stores a session of any agent as one of ours, with its own title, workspace and times. */
export async function importSession(store: Store, session: DecodedSession, input: ImportInput): Promise<Session> {
  const { owner, workspace, known, key, file } = input
  const log = importedLog(session, known)
  const { id } = await store.createSession({
    owner,
    workspace: session.workspace ?? workspace,
    title: agentTitle(session),
    createdAt: session.startedAt || log.find(({ at }) => at !== 0)?.at,
    key,
  })
  try {
    const check = (earlier: readonly Entry[]) =>
      earlier.length === 0 ? undefined : 'this key was sent before with another file: send a new key'
    await appendAsWritten(store, id, log, { key: file ?? 'import', guard: { since: 0, check } })
  } catch (error) {
    const made = await store.session(id)
    if (made?.lastSeq === 0) await store.deleteSession(id)
    throw error
  }
  await importTasks(store, id, session)
  const stored = await store.session(id)
  if (stored === undefined) throw new Error('unreachable: the session was just made')
  return stored
}

/** Stores the conversations of its sub-agents as those of our own: `recall` finds them, and the view has only their reports. */
async function importTasks(store: Store, id: SessionId, { sidechains }: DecodedSession): Promise<void> {
  const parent = await store.session(id)
  // A repeated import finds them there.
  if (parent === undefined || sidechains.length === 0 || (await tasksOf(store, id)).length > 0) return
  const tasks: EntryDraft[] = []
  for (const { name, entries, title, call } of namedSidechains(sidechains)) {
    const createdAt = entries.find(({ at }) => at !== 0)?.at
    const child = await createTaskSession(store, parent, { title: `${name}: ${title}`, createdAt })
    await appendAsWritten(store, child.id, withoutGaps(entries))
    tasks.push({ type: 'settings', task: { name, session: child.id, call } })
  }
  await store.append(id, tasks)
}

/** Appends entries of another log with their own times; if no entry has one, with the current time. */
export async function appendAsWritten(
  store: Pick<Store, 'append'>,
  id: SessionId,
  entries: readonly Entry[],
  options: AppendOptions = {},
): Promise<void> {
  const times = timesOf(entries)
  const appended = await store.append(id, entries.map(draftOf), { ...options, times })
  if (!appended.ok) throw new PithError('other-body', appended.reason === 'refused' ? appended.why : appended.reason)
}

/** An entry without a time gets that of the one before it, and the first ones that of the first entry that has one. */
function timesOf(entries: readonly Entry[]): number[] | undefined {
  let last = entries.find(({ at }) => at !== 0)?.at
  if (last === undefined) return undefined
  const times: number[] = []
  for (const { at } of entries) {
    last = at || last
    times.push(last)
  }
  return times
}

/**
 * The log that a session of any agent becomes, to measure or to store it. Every entry keeps its seq, because other entries
 * refer to it. After them come the repairs that a provider needs, and the origin of the session.
 */
export function importedLog(session: DecodedSession, known: KnownModels): Entry[] {
  const log = withoutGaps(withLessons(session.entries))
  const { items } = viewOf(log)
  const repair = items.isPlainlyValid ? undefined : repairDraft(items.slice(), { pending: 'allowed' })
  if (repair !== undefined) log.push(placed(log, repair))
  const origin = originOf(session, known)
  if (origin !== undefined) log.push(placed(log, { type: 'settings', origin }))
  return log
}

/** Adds to compactions of other agents the calibration learned before them. Ours store it too, because the span leaves the view. */
export function withLessons(entries: readonly Entry[]): Entry[] {
  const log: Entry[] = []
  for (const entry of entries) {
    const isLesson = entry.type === 'compaction' && entry.learned === undefined
    log.push(isLesson ? { ...entry, learned: allLearnedFrom(log) } : entry)
  }
  return log
}

/** Fills gaps in the file with settings that set nothing, so that every entry keeps its seq. */
export function withoutGaps(entries: readonly Entry[], after = 0): Entry[] {
  const whole: Entry[] = []
  for (const entry of entries) {
    while (after + whole.length + 1 < entry.seq) {
      const seq = after + whole.length + 1
      whole.push({ id: `e${seq}`, seq, at: entry.at, type: 'settings' })
    }
    whole.push(entry)
  }
  return whole
}

function placed(log: readonly Entry[], draft: EntryDraft): Entry {
  const { seq = 0, at = 0 } = log.at(-1) ?? {}
  return { ...draft, id: `e${seq + 1}`, seq: seq + 1, at }
}
