import { existsSync } from 'node:fs'
import { counted } from '../../../engine/report/numbers.ts'
import { PithError } from '../../../model/problems/errors.ts'
import type { StoreCheck } from '../../../store/store-check.ts'
import { note, print } from '../../output/show.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { isServer, storePlace } from './store-place.ts'

/** Reads the whole store, prints what is wrong with it, and gives the exit code. */
export async function checkStore(file: string | undefined): Promise<number> {
  const place = file ?? storePlace()
  const { sessions, entries, problems } = await check(place)
  for (const problem of problems) print(problem)
  const read = `${counted(sessions, 'session')} with ${counted(entries, 'entry')} read`
  if (problems.length === 0) print(`${read}, nothing is wrong`)
  else {
    const from = file === undefined ? '' : ` --from ${file}`
    const advice = isServer(place) ? '' : `: pith store salvage NEW-FILE${from} saves what can be read`
    note(`${read}; ${counted(problems.length, 'problem')}${advice}`)
  }
  return problems.length === 0 ? EXIT.done : EXIT.failed
}

async function check(place: string): Promise<StoreCheck> {
  if (isServer(place)) return (await import('../../../store/postgres/check-postgres.ts')).checkPostgres(place)
  if (!existsSync(place)) throw new PithError('bad-argument', `there is no database ${place}`)
  return (await import('../../../store/sqlite/check-sqlite.ts')).checkSqlite(place)
}
