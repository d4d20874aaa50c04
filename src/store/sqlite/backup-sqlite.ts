import { existsSync } from 'node:fs'
import { backup } from 'node:sqlite'
import { messageOf, PithError } from '../../model/problems/errors.ts'
import { Database } from './database.ts'
import { withFileErrors } from './open-database.ts'
import { makeDatabaseFile } from './open-files.ts'

/** Copies a database into a new file while other processes read and write it. The copy is one state of it. */
export async function backupSqlite(from: string, to: string): Promise<void> {
  if (existsSync(to)) throw new PithError('file-exists', `${to} exists already: name a new file`)
  const database = withFileErrors(from, () => new Database(from, { readOnly: true }))
  try {
    // The copy has the permissions of a database: for its owner only.
    makeDatabaseFile(to)
    await backup(database, to)
  } catch (error) {
    const why = messageOf(error)
    throw new PithError('file-unwritable', `${to} cannot be written (${why}): name another place`, { cause: error })
  } finally {
    database.close()
  }
}
