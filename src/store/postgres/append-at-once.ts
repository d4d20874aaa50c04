import { setImmediate as immediate } from 'node:timers/promises'
import pg from 'pg'
import { changesView } from '../../engine/context/view/activity.ts'
import { parseEntry } from '../../model/entry.ts'
import type { Entry, EntryDraft } from '../../model/types.ts'
import { opensTurn, type PauseLeft, type PauseWait, titleIn } from '../rows/new-entries.ts'
import { storedEntry } from '../rows/stored-entry.ts'
import {
  type AppendOptions,
  type AppendResult,
  type AppendSizes,
  type SessionId,
  type SizesBefore,
  type StoreDeps,
  unknownSession,
} from '../store.ts'
import { ANSWER_MS, type Db, folded, LostAnswer, preparedRows, storable } from './connection.ts'
import { type AppendDeps, type PhraseTexts, phraseText } from './phrase-search.ts'
import { readEntries } from './read-entries.ts'

/** The types of the columns of entries, as `entryColumns` gives them. */
const COLUMN_TYPES = ['text', 'double precision', 'text', 'text', 'text', 'text', 'boolean', 'boolean', 'text'] as const

/** The entry of a draft, before the database has given it its seq. */
function unplacedEntry({ ids, clock }: StoreDeps, draft: EntryDraft, at: number = clock()): Entry {
  return parseEntry({ ...draft, id: ids(), seq: UNPLACED, at })
}

const UNPLACED = 0

/** The columns of unplaced entries: id, time, type, the body in two halves, facts, what it changes, the text for a search by phrase. */
function entryColumns(entries: readonly Entry[], texts: PhraseTexts): unknown[][] {
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
    entries.map((entry) => phraseText(entry, texts)),
  ]
}

const MARK = `"seq":${UNPLACED}`

/** The text of an entry around its seq. The mark cannot appear in a string before it, because quotes in a string are escaped. */
function halvesOf(body: string): readonly [head: string, tail: string] {
  const at = body.indexOf(MARK)
  if (at === -1) throw new Error('unreachable: an entry has a seq')
  return [body.slice(0, at + MARK.length - String(UNPLACED).length), body.slice(at + MARK.length)]
}

/** Appends of one statement, and the characters of their entries. */
const MOST_APPENDS = 64
const MOST_CHARACTERS = 1_000_000

type WaitingAppend = {
  readonly id: SessionId
  readonly entry: Entry
  readonly columns: readonly unknown[]
  readonly characters: number
  readonly resolve: (result: AppendResult | undefined) => void
  readonly reject: (error: unknown) => void
}

/** The longest time that appends wait for others. */
const MOST_GATHER_MS = 50
const KEPT_SIZE = 0.75

/**
 * The appends of this process. Those of several sessions share one statement and one commit, because a statement for one append
 * costs the database several times as much as one more append in a statement. Appends that come while a statement runs go together
 * in the next one, which waits for as many as the ones before it had, but at most twice as long as the last one took. With several
 * processes on one database there would be few in each otherwise. Appends that come alone soon stop waiting.
 */
export class AppendGroup {
  readonly #db: Db
  readonly #deps: AppendDeps
  #waiting: WaitingAppend[] = []
  #isSending = false
  /** How many appends a statement waits for, and how long the last one took. */
  #last = { size: 1, ms: 0 }
  #isEnough: (() => void) | undefined

  constructor(db: Db, deps: AppendDeps) {
    this.#db = db
    this.#deps = deps
  }

  /** Appends one entry. If the result is undefined, nothing was appended, and the append has to be made without the others. */
  async append(
    id: SessionId,
    drafts: readonly EntryDraft[],
    { key, times, sizes, ...conditions }: AppendOptions,
  ): Promise<AppendResult | undefined> {
    const [draft] = drafts
    if (draft === undefined || drafts.length > 1) return undefined
    if (Object.values(conditions).some((condition) => condition !== undefined)) return undefined
    const entry = unplacedEntry(this.#deps, draft, times?.[0])
    const columns = columnsOf(id, { key, sizes }, entry, this.#deps.texts)
    const characters = columns.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
    if (characters > MOST_CHARACTERS) return undefined
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, entry, columns, characters, resolve, reject })
      if (this.#waiting.length >= this.#last.size) this.#isEnough?.()
      void this.#sendAll()
    })
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    while (this.#waiting.length > 0) {
      await this.#gather()
      const group = this.#nextGroup()
      const begun = performance.now()
      await this.#send(group)
      // The size shrinks slowly: a few slow clients would otherwise leave only small groups.
      const size = Math.max(group.length, Math.floor(this.#last.size * KEPT_SIZE))
      this.#last = { size, ms: performance.now() - begun }
    }
    this.#isSending = false
  }

  /** Lets the requests join that have arrived already, and those that are expected by the size of the last groups. */
  async #gather(): Promise<void> {
    await immediate()
    if (this.#waiting.length >= this.#last.size) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(2 * this.#last.ms, MOST_GATHER_MS))
      this.#isEnough = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#isEnough = undefined
  }

  /**
   * Takes the appends that waited longest, at most one of each session, so that grouped appends keep their order. An append that
   * the group leaves out may come after a later one of its session.
   */
  #nextGroup(): readonly WaitingAppend[] {
    const group = new Map<SessionId, WaitingAppend>()
    let room = MOST_CHARACTERS
    for (const waiting of this.#waiting) {
      if (group.has(waiting.id)) continue
      room -= waiting.characters
      if (room < 0 || group.size === MOST_APPENDS) break
      group.set(waiting.id, waiting)
    }
    const taken = new Set(group.values())
    this.#waiting = this.#waiting.filter((waiting) => !taken.has(waiting))
    return [...taken]
  }

  async #send(group: readonly WaitingAppend[]): Promise<void> {
    const before = [...this.#waiting]
    try {
      const lists = TYPES.map((_, column) => group.map(({ columns }) => columns[column]))
      const values = [this.#deps.clock(), ...lists]
      const placed = await preparedRows<RowPlace>(this.#db, APPEND_EACH, values, this.#deps.answerMs ?? ANSWER_MS)
      const rows = new Map(placed.map((row) => [row.place, row]))
      for (const [i, { entry, resolve }] of group.entries()) {
        const row = rows.get(i + 1)
        resolve(row && { ok: true, entries: [{ ...entry, seq: row.seq }], ...sizesIn(row) })
      }
    } catch (error) {
      for (const { resolve, reject } of group) {
        if (isRefusalOfOne(error)) resolve(undefined)
        else reject(error)
      }
      if (!isRefusalOfOne(error)) this.#giveUp(before, error)
    }
  }

  /** Appends that waited for all of a failed try were not sent. Each further try may take as long, so they end here. */
  #giveUp(waiting: readonly WaitingAppend[], error: unknown): void {
    const gone = new Set(waiting)
    this.#waiting = this.#waiting.filter((one) => !gone.has(one))
    for (const { reject } of gone) reject(error instanceof LostAnswer ? error.cause : error)
  }
}

type RowPlace = SizeRow & { readonly place: number; readonly seq: number }

const TYPES = ['text', 'text', 'text', 'text', 'text', 'bigint', 'text', ...COLUMN_TYPES]

const APPEND_EACH = {
  name: 'pith-append-each-heard',
  sql: `SELECT place, seq, kept_seq, kept, before
    FROM pith_append_each_heard($1::double precision, ${TYPES.map((type, i) => `$${2 + i}::${type}[]`).join(', ')})`,
}

function columnsOf(
  id: SessionId,
  { key, sizes }: Pick<AppendOptions, 'key' | 'sizes'>,
  entry: Entry,
  texts: PhraseTexts,
): unknown[] {
  const title = titleIn([entry])
  return [
    storable(id),
    key === undefined ? null : storable(key),
    title === undefined ? null : storable(title),
    title === undefined ? null : folded(title),
    sizes?.drafts[0] ?? null,
    ...keptColumns(sizes),
    ...entryColumns([entry], texts).map(([only]) => only),
  ]
}

/** The entry up to which the caller has counted (−1: it wants no sizes, null: the kept one), and the count to keep. */
function keptColumns(sizes: AppendSizes | undefined): readonly [since: number | null, keep: string | null] {
  if (sizes === undefined) return [NO_SIZES, null]
  const { since, keep } = sizes
  return [since ?? null, since === undefined || keep === undefined ? null : keep]
}

const NO_SIZES = -1

/** The sizes before an append, as they are read. */
type SizeRow = { readonly kept_seq: number | null; readonly kept: string | null; readonly before: string | null }

function sizesIn({ kept_seq, kept, before }: SizeRow): { readonly before?: SizesBefore } {
  if (before === null) return {}
  const sizes = before === '' ? [] : before.split('\n').map((size) => (size === '' ? null : size))
  return { before: { sizes, ...(kept_seq === null || kept === null ? {} : { kept: { upTo: kept_seq, body: kept } }) } }
}

/** True when the server has refused one of the appends and rolled all of them back. The others can then be made alone. */
function isRefusalOfOne(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|40|54|P0)/.test(error.code ?? '')
}

/** An append that the database can do by itself, without asking the caller while the session is locked. */
export type PlainAppend = Omit<AppendOptions, 'guard' | 'chain'>

/** True for an append that needs one round trip. More rows than this go in several statements, so that none is huge. */
export function isPlain(drafts: readonly EntryDraft[], options: AppendOptions): options is PlainAppend {
  return options.guard === undefined && options.chain === undefined && drafts.length <= MOST_ROWS
}

const MOST_ROWS = 500

/** Appends in one statement (`pith_append_sized` of the schema): all of it or nothing. */
export async function appendAtOnce(
  db: Db,
  deps: AppendDeps,
  id: SessionId,
  drafts: readonly EntryDraft[],
  options: PlainAppend,
  { isOver }: PauseWait,
): Promise<AppendResult | PauseLeft> {
  const at = deps.clock()
  const entries = drafts.map((draft, i) => unplacedEntry(deps, draft, options.times?.[i] ?? at))
  const columns = entryColumns(entries, deps.texts)
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
    options.sizes?.drafts ?? null,
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
  return {
    ok: true,
    entries: entries.map((entry, i) => ({ ...entry, seq: answer.from_seq + i })),
    ...(options.sizes === undefined ? {} : await readSizes(db, id, answer.from_seq, options.sizes)),
  }
}

/** The sizes of the entries before one that was appended. A failure only means that the caller reads the session. */
async function readSizes(
  db: Db,
  id: SessionId,
  next: number,
  sizes: AppendSizes,
): Promise<{ readonly before?: SizesBefore }> {
  const [since, keep] = keptColumns(sizes)
  const [row] = await preparedRows<SizeRow>(db, KEEP_AND_READ, [storable(id), since, keep, next]).catch(() => [])
  return row === undefined ? {} : sizesIn(row)
}

/** The lock on the session comes first, as in an append: otherwise the two could wait for each other. */
const KEEP_AND_READ = {
  name: 'pith-sizes-before',
  sql: `WITH keeping AS (
      INSERT INTO sizes (session_id, seq, body)
      SELECT id, $2::bigint, $3::text FROM sessions WHERE id = $1 AND $3 IS NOT NULL FOR KEY SHARE
      ON CONFLICT (session_id) DO UPDATE SET seq = excluded.seq, body = excluded.body
    )
    SELECT k.seq AS kept_seq, k.body AS kept, pith_sizes($1, coalesce($2::bigint, k.seq), $4::bigint) AS before
    FROM (SELECT) AS one LEFT JOIN sizes k ON $2::bigint IS NULL AND k.session_id = $1`,
}

type Answer = {
  readonly outcome: 'appended' | 'known' | 'superseded' | 'paused'
  readonly from_seq: number
  readonly upto_seq: number
  readonly revision: number
}

const APPEND = { name: 'pith-append-sized', sql: appendSql((type, at) => `$${at}::${type}[]`) }

/** Nearly every append is of one entry. A list is sent with every quote escaped, a single value is not. */
const APPEND_ONE = { name: 'pith-append-one-sized', sql: appendSql((type, at) => `ARRAY[$${at}::${type}]`) }

function appendSql(column: (type: string, at: number) => string): string {
  const columns = COLUMN_TYPES.map((type, i) => column(type, 6 + i)).join(', ')
  return `SELECT outcome, from_seq, upto_seq, revision
    FROM pith_append_sized($1::double precision, $2::text, $3::text, $4::text, $5::bigint, ${columns},
      $15::text, $16::text, $17::text[])`
}
