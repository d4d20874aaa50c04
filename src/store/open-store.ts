import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFolder } from '../config/places/folders.ts'
import { messageOf, PithError } from '../model/problems/errors.ts'
import { isPostgresUrl } from '../model/values.ts'
import type { Store, StoreDeps } from './store.ts'

const DEPS: StoreDeps = { ids: randomUUID, clock: Date.now }

/**
 * Opens a store: a PostgreSQL URL, the path of a SQLite file, or by default the file in the user's data folder.
 *
 * @example
 * ```ts
 * import { createSession } from 'pith/ai-sdk'
 * import { openStore } from 'pith/store'
 *
 * const store = await openStore('sessions.db')
 * const { id } = await store.createSession({ owner: 'me', workspace: '/work' })
 * await store.close()
 * ```
 */
export async function openStore(where = join(dataFolder(), 'pith.db'), given: Partial<StoreDeps> = {}): Promise<Store> {
  const deps = { ...DEPS, ...given }
  if (isPostgresUrl(where)) {
    const { openPostgres } = await import('./postgres/open-postgres.ts')
    return openPostgres(where, deps)
  }
  if (where !== ':memory:') makeFolder(dirname(where))
  const { openSqlite } = await import('./sqlite/open-sqlite.ts')
  return openSqlite(where, deps)
}

/** The folder of the database, for its owner only. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const why = messageOf(error)
    throw new PithError('store-unwritable', `${folder} cannot be made (${why}): choose another place for the sessions`)
  }
}
