import type { EntryDraft } from '../../model/types.ts'
import type { PauseLeft, PauseWait } from '../pause-wait.ts'
import { titleIn } from '../rows/new-entries.ts'
import { type AppendOptions, type AppendResult, type SessionId, type StoreDeps, unknownSession } from '../store.ts'
import { ANSWER_MS, type Db, folded, preparedRows, storable } from './connection.ts'
import { COLUMN_TYPES, entryColumns, unplacedEntry } from './entry-columns.ts'
import { readEntries } from './read-entries.ts'

/** An append that the database can do by itself, without asking the caller while the session is locked. */
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
  { isOver }: PauseWait,
): Promise<AppendResult | PauseLeft> {
  const at = deps.clock()
  const entries = drafts.map((draft, i) => unplacedEntry(deps, draft, options.times?.[i] ?? at))
  const columns = entryColumns(entries)
  const title = titleIn(entries)
  const isOne = entries.length === 1
  const values = [
    isOver ? null : at,
    options.pause ?? null,
    storable(id),
    options.key === undefined ? null : storable(options.key),
    options.revision ?? null,
    ...(isOne ? columns.map(([only]) => only) : columns),
    title === undefined ? null : storable(title),
    title === undefined ? null : folded(title),
  ]
  const statement = isOne ? APPEND_ONE : APPEND
  const [answer] = await preparedRows<Answer>(db, statement, values, deps.answerMs ?? ANSWER_MS)
  if (answer === undefined) throw unknownSession(id)
  if (answer.outcome === 'paused') return { pausedMs: answer.from_seq }
  if (answer.outcome === 'superseded') return { ok: false, reason: 'superseded', revision: answer.revision }
  if (answer.outcome === 'known') {
    const known = await readEntries(db, id, { from: answer.from_seq, upTo: answer.upto_seq })
    return { ok: true, entries: known.entries }
  }
  return { ok: true, entries: entries.map((entry, i) => ({ ...entry, seq: answer.from_seq + i })) }
}

type Answer = {
  readonly outcome: 'appended' | 'known' | 'superseded' | 'paused'
  readonly from_seq: number
  readonly upto_seq: number
  readonly revision: number
}

const APPEND = { name: 'pith-append', sql: appendSql((type, at) => `$${at}::${type}[]`) }

/** Nearly every append is of one entry. A list is sent with every quote escaped, a single value is not. */
const APPEND_ONE = { name: 'pith-append-one', sql: appendSql((type, at) => `ARRAY[$${at}::${type}]`) }

function appendSql(column: (type: string, at: number) => string): string {
  const columns = COLUMN_TYPES.map((type, i) => column(type, 6 + i)).join(', ')
  return `SELECT outcome, from_seq, upto_seq, revision
    FROM pith_append_unless_paused($1::double precision, $2::text, $3::text, $4::text, $5::bigint, ${columns},
      $15::text, $16::text)`
}
