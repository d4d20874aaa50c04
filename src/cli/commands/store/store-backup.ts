import { resolve } from 'node:path'
import { counted } from '../../../engine/report/numbers.ts'
import { backupSqlite } from '../../../store/sqlite/backup-sqlite.ts'
import { checkSqlite } from '../../../store/sqlite/check-sqlite.ts'
import { note, print } from '../../output/show.ts'
import { storeFile } from './store-place.ts'

/** Copies the store into a new file, and reads the copy. */
export async function backupStore(file: string): Promise<void> {
  const to = resolve(file)
  await backupSqlite(storeFile('use pg_dump'), to)
  const { sessions, entries, problems } = checkSqlite(to)
  print(`Copied to ${to}: ${counted(sessions, 'session')} with ${counted(entries, 'entry')}`)
  for (const problem of problems) note(`The copy has what the original has: ${problem}`)
}
