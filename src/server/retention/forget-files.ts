import { existsSync } from 'node:fs'
import { forgetDeleted } from '../../agent/checkpoints/content-store.ts'
import { keptContents } from '../../agent/checkpoints/open-keeper.ts'
import type { Settings } from '../../config/tables/settings.ts'
import { shortSessionId } from '../../contract/shapes/agent-id.ts'
import { forgetPagesOf } from '../../store/memory-pages.ts'
import { FileIndex, indexPath } from '../../store/sqlite/file-index.ts'
import type { SessionId, Store } from '../../store/store.ts'

/** The store, and the place of everything that is kept in files beside it. */
export type SessionFiles = {
  readonly store: Store
  readonly settings: Pick<Settings, 'store'>
  readonly folders: { readonly data: string }
}

/**
 * Deletes what this machine keeps in files of sessions that are gone: the contents of checkpoints, pages of memories, and
 * notes. `deleted` were just deleted. For contents and notes the store is asked, too: another machine, or a process that was
 * killed, may have deleted more.
 */
export async function forgetFiles(
  { store, settings, folders: { data } }: SessionFiles,
  deleted: readonly SessionId[] = [],
): Promise<void> {
  await forgetDeleted(keptContents(data, settings), store, Date.now())
  const gone = new Set(deleted)
  if (gone.size > 0) forgetPagesOf(data, deleted, quotesAny(deleted))
  if (existsSync(indexPath(data))) await forgetNotes(FileIndex.open(indexPath(data)), store, gone)
}

/** Deletes the notes about sessions that are gone. If they are of another store, they are made again. */
async function forgetNotes(
  index: FileIndex,
  store: Pick<Store, 'storedAmong'>,
  gone: ReadonlySet<SessionId>,
): Promise<void> {
  try {
    const notes = index.noteNames().flatMap((name) => {
      const session = SESSION_AT_END.exec(name)?.[0]
      return session === undefined ? [] : [{ name, session }]
    })
    const stored = await store.storedAmong(notes.map(({ session }) => session))
    const names = notes.filter(({ session }) => gone.has(session) || !stored.has(session)).map(({ name }) => name)
    if (names.length > 0) index.deleteNotes(names)
  } finally {
    index.close()
  }
}

/** True for a page that quotes one of these sessions: each of its lines has a handle with the short id of its session. */
function quotesAny(sessions: readonly SessionId[]): (text: string) => boolean {
  const names = new Set(sessions.map(shortSessionId))
  return (text) => [...text.matchAll(/([\w-]+)#\d/g)].some(([, name = '']) => names.has(name))
}

/** A note is named after its session, some with a word before the id. */
const SESSION_AT_END = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
