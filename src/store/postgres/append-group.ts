import pg from 'pg'
import type { Entry, EntryDraft } from '../../model/types.ts'
import { titleIn } from '../rows/new-entries.ts'
import type { AppendOptions, AppendResult, SessionId, StoreDeps } from '../store.ts'
import { ANSWER_MS, type Db, folded, isUnanswered, preparedRows, storable } from './connection.ts'
import { COLUMN_TYPES, entryColumns, unplacedEntry } from './entry-columns.ts'

/** Appends of one statement, and the characters of their entries. */
const MOST_APPENDS = 64
const MOST_CHARACTERS = 1_000_000

type WaitingAppend = {
  readonly id: SessionId
  readonly isKeyed: boolean
  readonly entry: Entry
  readonly columns: readonly unknown[]
  readonly characters: number
  readonly resolve: (result: AppendResult | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * The appends of this process. Those of several sessions share one statement and one commit: appends that come while a statement
 * runs go together in the next one. An append that comes alone does not wait.
 */
export class AppendGroup {
  readonly #db: Db
  readonly #deps: StoreDeps
  #waiting: WaitingAppend[] = []
  #isSending = false

  constructor(db: Db, deps: StoreDeps) {
    this.#db = db
    this.#deps = deps
  }

  /** Appends one entry. If the result is undefined, nothing was appended, and the append has to be made without the others. */
  async append(
    id: SessionId,
    drafts: readonly EntryDraft[],
    { key, times, ...conditions }: AppendOptions,
  ): Promise<AppendResult | undefined> {
    const [draft] = drafts
    if (draft === undefined || drafts.length > 1) return undefined
    if (Object.values(conditions).some((condition) => condition !== undefined)) return undefined
    const entry = unplacedEntry(this.#deps, draft, times?.[0])
    const columns = columnsOf(id, key, entry)
    const characters = columns.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
    if (characters > MOST_CHARACTERS) return undefined
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, isKeyed: key !== undefined, entry, columns, characters, resolve, reject })
      void this.#sendAll()
    })
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    while (this.#waiting.length > 0) await this.#send(this.#nextGroup())
    this.#isSending = false
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
    try {
      const lists = TYPES.map((_, column) => group.map(({ columns }) => columns[column]))
      const values = [this.#deps.clock(), ...lists]
      const placed = await preparedRows<RowPlace>(this.#db, APPEND_EACH, values, this.#deps.answerMs ?? ANSWER_MS)
      const seqs = new Map(placed.map(({ place, seq }) => [place, seq]))
      for (const [i, { entry, resolve }] of group.entries()) {
        const seq = seqs.get(i + 1)
        resolve(seq === undefined ? undefined : { ok: true, entries: [{ ...entry, seq }] })
      }
    } catch (error) {
      for (const { isKeyed, resolve, reject } of group) {
        // An append with a key can be repeated: it is still done only once.
        if (isRefusalOfOne(error) || (isKeyed && isUnanswered(error))) resolve(undefined)
        else reject(error)
      }
    }
  }
}

type RowPlace = { readonly place: number; readonly seq: number }

const TYPES = ['text', 'text', 'text', 'text', ...COLUMN_TYPES]

const APPEND_EACH = {
  name: 'pith-append-each',
  sql: `SELECT place, seq
    FROM pith_append_each($1::double precision, ${TYPES.map((type, i) => `$${2 + i}::${type}[]`).join(', ')})`,
}

function columnsOf(id: SessionId, key: string | undefined, entry: Entry): unknown[] {
  const title = titleIn([entry])
  return [
    storable(id),
    key === undefined ? null : storable(key),
    title === undefined ? null : storable(title),
    title === undefined ? null : folded(title),
    ...entryColumns([entry]).map(([only]) => only),
  ]
}

/** True when the server has refused one of the appends and rolled all of them back. The others can then be made alone. */
function isRefusalOfOne(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|40|54|P0)/.test(error.code ?? '')
}
