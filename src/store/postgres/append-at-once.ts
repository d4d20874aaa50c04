import { changesView } from '../../engine/view/changes-view.ts'
import { type Entry, type EntryDraft, parseEntry } from '../../model/entry.ts'
import { searchText } from '../search-text.ts'
import type { AppendOptions, AppendResult, SessionId, StoreDeps } from '../store.ts'
import { storedEntry } from '../stored-entry.ts'
import { unknownSession } from '../unknown-session.ts'
import type { PauseLeft } from '../when-resumed.ts'
import { type Db, preparedRows } from './connection.ts'
import { readEntries } from './read-entries.ts'
import { titleIn } from './rows.ts'
import { folded, storable } from './text.ts'

/** An append that the database can do by itself: nothing is asked of the caller while the session is locked. */
export type PlainAppend = Omit<AppendOptions, 'guard' | 'chain'>

/** True for an append that needs one round trip. More rows than this go in several statements, so that none is huge. */
export function isPlain(drafts: readonly EntryDraft[], options: AppendOptions): options is PlainAppend {
  return options.guard === undefined && options.chain === undefined && drafts.length <= MOST_ROWS
}

const MOST_ROWS = 500

/** Appends in one statement (`pith_append_unless_paused` of the schema): all of it or nothing. */
export async function appendAtOnce(
  db: Db,
  deps: StoreDeps,
  id: SessionId,
  drafts: readonly EntryDraft[],
  options: PlainAppend,
  waits: 'for-a-pause' | 'no-longer',
): Promise<AppendResult | PauseLeft> {
  const at = deps.clock()
  const entries = drafts.map((draft, i) =>
    parseEntry({ ...draft, id: deps.ids(), seq: UNPLACED, at: options.times?.[i] ?? at }),
  )
  const columns = columnsOf(entries)
  const title = titleIn(entries)
  const isOne = entries.length === 1
  const [answer] = await preparedRows<Answer>(db, isOne ? APPEND_ONE : APPEND, [
    waits === 'for-a-pause' ? at : null,
    options.pause ?? null,
    storable(id),
    options.key === undefined ? null : storable(options.key),
    options.revision ?? null,
    ...(isOne ? columns.map(([only]) => only) : columns),
    title === undefined ? null : storable(title),
    title === undefined ? null : folded(title),
  ])
  if (answer === undefined) throw unknownSession(id)
  if (answer.outcome === 'paused') return { pausedMs: answer.from_seq }
  if (answer.outcome === 'superseded') return { ok: false, reason: 'superseded', revision: answer.revision }
  if (answer.outcome === 'known') {
    const known = await readEntries(db, id, { from: answer.from_seq, upTo: answer.upto_seq })
    return { ok: true, entries: known.entries }
  }
  return { ok: true, entries: entries.map((entry, i) => ({ ...entry, seq: answer.from_seq + i })) }
}

/** The seq of an entry before the database has given it one. */
const UNPLACED = 0

type Answer = {
  readonly outcome: 'appended' | 'known' | 'superseded' | 'paused'
  readonly from_seq: number
  readonly upto_seq: number
  readonly revision: number
}

/** The types of the columns of entries, as `columnsOf` gives them. */
const TYPES = ['text', 'double precision', 'text', 'text', 'text', 'text', 'boolean', 'boolean', 'text']

const APPEND = { name: 'pith-append', sql: statement((type, at) => `$${at}::${type}[]`) }

/** Nearly every append is of one entry. A list is sent with every quote escaped, a value as it is. */
const APPEND_ONE = { name: 'pith-append-one', sql: statement((type, at) => `ARRAY[$${at}::${type}]`) }

function statement(column: (type: string, at: number) => string): string {
  const columns = TYPES.map((type, i) => column(type, 6 + i)).join(', ')
  return `SELECT outcome, from_seq, upto_seq, revision
    FROM pith_append_unless_paused($1::double precision, $2::text, $3::text, $4::text, $5::bigint, ${columns},
      $15::text, $16::text)`
}

function columnsOf(entries: readonly Entry[]): unknown[][] {
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
    entries.map((entry) => entry.type === 'message' && entry.message.role === 'user'),
    entries.map((entry) => folded(searchText(entry))),
  ]
}

const MARK = `"seq":${UNPLACED}`

/** The text of an entry around its seq. The mark cannot stand in a string before it: quotes in there are escaped. */
function halvesOf(body: string): readonly [head: string, tail: string] {
  const at = body.indexOf(MARK)
  if (at === -1) throw new Error('unreachable: an entry has a seq')
  return [body.slice(0, at + MARK.length - String(UNPLACED).length), body.slice(at + MARK.length)]
}
