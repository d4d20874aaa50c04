import { changesView } from '../../engine/context/view/changes-view.ts'
import { parseEntry } from '../../model/entry.ts'
import type { Entry, EntryDraft } from '../../model/types.ts'
import { opensTurn } from '../rows/new-entries.ts'
import { storedEntry } from '../rows/stored-entry.ts'
import { searchText } from '../search/search-text.ts'
import type { StoreDeps } from '../store.ts'
import { folded, storable } from './connection.ts'

/** The types of the columns of entries, as `entryColumns` gives them. */
export const COLUMN_TYPES = [
  'text',
  'double precision',
  'text',
  'text',
  'text',
  'text',
  'boolean',
  'boolean',
  'text',
] as const

/** The entry of a draft, before the database has given it its seq. */
export function unplacedEntry({ ids, clock }: StoreDeps, draft: EntryDraft, at: number = clock()): Entry {
  return parseEntry({ ...draft, id: ids(), seq: UNPLACED, at })
}

const UNPLACED = 0

/** The columns of unplaced entries: id, time, type, the body in two halves, facts, what it changes, the text to search in. */
export function entryColumns(entries: readonly Entry[]): unknown[][] {
  const stored = entries.map(storedEntry)
  const halves = stored.map(({ body }) => halvesOf(body))
  return [
    entries.map((entry) => storable(entry.id)),
    entries.map((entry) => entry.at),
    entries.map((entry) => entry.type),
    halves.map(([head]) => head),
    halves.map(([, tail]) => tail),
    stored.map(({ facts }) => facts),
    entries.map(changesView),
    entries.map(opensTurn),
    entries.map((entry) => folded(searchText(entry))),
  ]
}

const MARK = `"seq":${UNPLACED}`

/** The text of an entry around its seq. The mark cannot appear in a string before it, because quotes in a string are escaped. */
function halvesOf(body: string): readonly [head: string, tail: string] {
  const at = body.indexOf(MARK)
  if (at === -1) throw new Error('unreachable: an entry has a seq')
  return [body.slice(0, at + MARK.length - String(UNPLACED).length), body.slice(at + MARK.length)]
}
