import { setImmediate as rest } from 'node:timers/promises'
import { type Session, type SessionId, type SessionQuery, SIDE_HOLDER, type Store } from '../../store/store.ts'
import { forgetFiles, type SessionFiles } from './forget-files.ts'

/** The sessions of an owner, in a folder or below it, go when nothing was added to them for this long; never if it is absent. */
export type ExpiryRule = {
  readonly olderThanMs?: number | undefined
  readonly owner?: string | undefined
  readonly project?: string | undefined
}

/** The result of a deletion or, in a dry run, of one that was not done. */
export type Deletion = {
  readonly sessions: number
  readonly entries: number
  /** The bytes of the entries, without indexes. */
  readonly bytes: number
  /** The sessions of which entries are kept, because forks share them. */
  readonly kept: readonly { readonly session: SessionId; readonly entries: number }[]
  /** How many sessions are left, because the work was cancelled or had a limit. */
  readonly left: number
}

/** A session that a rule deletes, if nobody has used it since then. */
export type ExpiredSession = { readonly session: Session; readonly since: number }

/** The sessions that the rules delete now, forks before their parents. Those in use are not among them. */
export async function expiredSessions(
  store: Pick<Store, 'sessions'>,
  rules: readonly ExpiryRule[],
  now: number,
): Promise<ExpiredSession[]> {
  const ages = rules.flatMap(({ olderThanMs }) => olderThanMs ?? [])
  if (ages.length === 0) return []
  const unusedSince = now - Math.min(...ages)
  const owners = new Set(rules.map(({ owner }) => owner))
  const [owner] = owners.size === 1 ? owners : []
  const found: ExpiredSession[] = []
  for (const holder of [undefined, SIDE_HOLDER])
    for await (const session of allSessions(store, { unusedSince, owner, holder })) {
      const since = expiryOf(rules, session, now)
      if (since !== undefined && session.updatedAt <= since) found.push({ session, since })
    }
  return found.toSorted((a, b) => b.session.createdAt - a.session.createdAt)
}

/** The time since when a session must be unused to be deleted, by the first rule that fits it; undefined if it is kept. */
export function expiryOf(
  rules: readonly ExpiryRule[],
  { owner, workspace }: Pick<Session, 'owner' | 'workspace'>,
  now: number,
): number | undefined {
  const rule = rules.find(
    (each) =>
      (each.owner === undefined || each.owner === owner) &&
      (each.project === undefined || isBelow(workspace, each.project)),
  )
  return rule?.olderThanMs === undefined ? undefined : now - rule.olderThanMs
}

/** True for a folder and everything below it, on any system. A session without a folder is in no project. */
function isBelow(folder: string, project: string): boolean {
  const above = project.replace(/[\\/]+$/, '')
  return folder !== '' && (folder === above || folder.startsWith(`${above}/`) || folder.startsWith(`${above}\\`))
}

async function* allSessions(store: Pick<Store, 'sessions'>, query: SessionQuery): AsyncGenerator<Session, void> {
  for (let before: string | undefined; ; ) {
    const page = await store.sessions({ ...query, limit: 500, before })
    yield* page.sessions
    if (page.next === undefined) return
    before = page.next
  }
}

/** Counts the entries that a deletion of these sessions would remove and keep. Nothing is deleted. */
export async function measureExpired(store: Store, expired: readonly ExpiredSession[]): Promise<Deletion> {
  const measure = await store.measureDeletion(expired.map(({ session }) => session.id))
  return { sessions: expired.length, left: 0, ...measure }
}

type DeleteOptions = {
  /** Ends the work after the current session: what is deleted by then stays deleted. */
  readonly signal: AbortSignal
  readonly progress?: (done: number, all: number) => void | Promise<void>
  readonly onDeleted?: (session: SessionId) => void
}

/** Deletes sessions one by one, each with everything that is kept of it. One that somebody has used meanwhile stays. */
export async function deleteExpired(
  files: SessionFiles,
  expired: readonly ExpiredSession[],
  { signal, progress, onDeleted }: DeleteOptions,
): Promise<Deletion> {
  const { store } = files
  const deleted: SessionId[] = []
  const kept: { session: SessionId; entries: number }[] = []
  let [entries, bytes, done] = [0, 0, 0]
  try {
    for (const { session, since } of expired) {
      if (signal.aborted) break
      const result = await store.deleteUnused(session.id, since)
      done++
      if (result !== undefined) {
        deleted.push(session.id)
        onDeleted?.(session.id)
        entries += result.entries
        bytes += result.bytes
        if (result.keptForForks > 0) kept.push({ session: session.id, entries: result.keptForForks })
      }
      await progress?.(done, expired.length)
      // SQLite works within the call: requests get their turn here.
      await rest()
    }
  } finally {
    if (deleted.length > 0) await forgetFiles(files, deleted)
  }
  return { sessions: deleted.length, entries, bytes, kept, left: expired.length - done }
}
