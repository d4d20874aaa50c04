import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { counted } from '../../../engine/report/numbers.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { handleRanges } from '../../../model/text.ts'
import { isPostgresUrl } from '../../../model/values.ts'
import { backupSqlite } from '../../../store/sqlite/backup-sqlite.ts'
import { checkSqlite } from '../../../store/sqlite/check-sqlite.ts'
import { FileIndex, indexPath } from '../../../store/sqlite/file-index.ts'
import { salvageSqlite } from '../../../store/sqlite/salvage/salvage-sqlite.ts'
import type { StoreCheck } from '../../../store/store-check.ts'
import { note, print } from '../../output/show.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { loadSetup } from '../../setup/setup.ts'

/** Reads the whole store, prints what is wrong with it, and gives the exit code. */
export async function checkStore(file: string | undefined): Promise<number> {
  const place = file ?? storePlace()
  const { sessions, entries, problems, isDamaged } = await check(place)
  for (const problem of problems) print(problem)
  const read = `${counted(sessions, 'session')} with ${counted(entries, 'entry')} read`
  if (problems.length === 0) print(`${read}, no damage and no gaps found`)
  else {
    const from = file === undefined ? '' : ` --from ${file}`
    const advice =
      isPostgresUrl(place) || !isDamaged ? '' : `: pith store salvage NEW-FILE${from} saves what can be read`
    note(`${read}; ${counted(problems.length, 'problem')}${advice}`)
  }
  return problems.length === 0 ? EXIT.done : EXIT.failed
}

async function check(place: string): Promise<StoreCheck> {
  if (isPostgresUrl(place)) return (await import('../../../store/postgres/check-postgres.ts')).checkPostgres(place)
  if (!existsSync(place)) throw new PithError('bad-argument', `there is no database ${place}`)
  return checkSqlite(place)
}

/** Copies the store into a new file, and reads the copy. */
export async function backupStore(file: string): Promise<void> {
  const to = resolve(file)
  await backupSqlite(storeFile('use pg_dump'), to)
  const { sessions, entries, problems } = checkSqlite(to)
  print(`Copied to ${to}: ${counted(sessions, 'session')} with ${counted(entries, 'entry')}`)
  for (const problem of problems) note(`The copy has what the original has: ${problem}`)
}

/** Copies what can be read of a damaged store into a new file, and lists what cannot. */
export function salvageStore(file: string, from?: string): void {
  const to = resolve(file)
  const { sessions, entries, lost, unnamed } = salvageSqlite(from ?? storeFile('restore a backup of it'), to)
  print(`Saved ${counted(sessions, 'session')} with ${counted(entries, 'entry')} in ${to}`)
  for (const id of unnamed) note(`session ${id}: its folder and title could not be read`)
  for (const { session, seqs, reason } of lost)
    note(`session ${session}: lost ${handleRanges(seqs)}${reason === undefined ? '' : ` (${reason})`}`)
  const missing = lost.reduce((sum, { seqs }) => sum + seqs.length, 0)
  note(`${counted(missing, 'entry')} cannot be accounted for: ${UNKNOWN}`)
}

const UNKNOWN =
  'these are the gaps in the numbering. Sessions without a trace, and entries after the last one of a session, leave no gap'

/** Deletes the index of other agents' sessions. */
export function forgetIndex(): void {
  const path = indexPath(loadSetup({}).folders.data)
  print(FileIndex.delete(path) ? `Deleted ${path}: the next search makes it again` : `There is no index at ${path}`)
}

/** Where our sessions are: the path of a file, or the URL of a server. */
function storePlace(): string {
  const { config, folders } = loadSetup({})
  return config.settings.store ?? join(folders.data, 'pith.db')
}

/** The path of the database file; a server has tools of its own for this. */
function storeFile(instead: string): string {
  const place = storePlace()
  if (isPostgresUrl(place)) throw new PithError('bad-argument', `the sessions are on a PostgreSQL server: ${instead}`)
  return place
}
