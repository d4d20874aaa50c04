import { resolve } from 'node:path'
import { counted } from '../../../engine/report/numbers.ts'
import { handleRanges } from '../../../model/text.ts'
import { salvageSqlite } from '../../../store/sqlite/salvage/salvage-sqlite.ts'
import { note, print } from '../../output/show.ts'
import { storeFile } from './store-place.ts'

/** Copies what can be read of a damaged store into a new file, and lists what cannot. */
export function salvageStore(file: string, from?: string): void {
  const to = resolve(file)
  const { sessions, entries, lost, unnamed } = salvageSqlite(from ?? storeFile('restore a backup of it'), to)
  print(`Saved ${counted(sessions, 'session')} with ${counted(entries, 'entry')} in ${to}`)
  for (const id of unnamed) note(`session ${id}: its folder and title could not be read`)
  for (const { session, seqs, reason } of lost)
    note(`session ${session}: lost ${handleRanges(seqs)}${reason === undefined ? '' : ` (${reason})`}`)
  if (lost.length + unnamed.length === 0) note('Nothing of the sessions is lost.')
}
