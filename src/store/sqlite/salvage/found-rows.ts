import type { Entry } from '../../../model/entry.ts'
import { readStoredEntry } from '../../rows/stored-entry.ts'
import type { Session, SessionId } from '../../store.ts'
import type { DatabasePages } from './database-pages.ts'
import { type Column, tableRecords } from './table-records.ts'

/** What can be read of a database: its sessions, and the entries of each by their seq. */
export type FoundRows = {
  readonly sessions: ReadonlyMap<SessionId, SalvagedSession>
  readonly entries: ReadonlyMap<SessionId, ReadonlyMap<number, Entry>>
  /** Entries that are there but cannot be read. */
  readonly bad: readonly { readonly session: SessionId; readonly seq: number; readonly reason: string }[]
}

/** `hidden`: it was deleted, but forks share its entries. */
export type SalvagedSession = Session & { readonly hidden: boolean }

/** Reads all rows of the tables of sessions and entries, wherever they are in the file. */
export function foundRows(pages: DatabasePages): FoundRows {
  const sessions = new Map<SessionId, SalvagedSession>()
  const entries = new Map<SessionId, Map<number, Entry>>()
  const bad: { session: SessionId; seq: number; reason: string }[] = []
  for (const { columns } of tableRecords(pages)) {
    const session = sessionIn(columns)
    if (session !== undefined) sessions.set(session.id, session)
    const stored = entryIn(columns)
    if (stored === undefined) continue
    const entry = readStoredEntry(stored, stored.seq)
    if (typeof entry === 'string') bad.push({ session: stored.session, seq: stored.seq, reason: entry })
    else entries.set(stored.session, (entries.get(stored.session) ?? new Map()).set(stored.seq, entry))
  }
  return { sessions, entries, bad: bad.filter(({ session, seq }) => entries.get(session)?.has(seq) !== true) }
}

/** The columns of `sessions`, by their types: no other table has these. */
function sessionIn(columns: readonly Column[]): SalvagedSession | undefined {
  const [id, owner, workspace, title, parent, parentSeq, createdAt, updatedAt, lastSeq, revision, hidden] = columns
  if (columns.length !== 11 || typeof id !== 'string' || typeof owner !== 'string' || typeof workspace !== 'string')
    return undefined
  if (typeof createdAt !== 'number' || typeof updatedAt !== 'number' || typeof lastSeq !== 'number') return undefined
  return {
    id,
    owner,
    workspace,
    title: typeof title === 'string' ? title : undefined,
    parent: typeof parent === 'string' && typeof parentSeq === 'number' ? { id: parent, seq: parentSeq } : undefined,
    createdAt,
    updatedAt,
    lastSeq,
    revision: typeof revision === 'number' ? revision : 0,
    hidden: hidden === 1,
  }
}

type StoredRow = { session: SessionId; seq: number; body: string; facts: string | null }

/** The columns of `entries`. The first is the number of the row, which a record leaves empty; earlier forms had no facts. */
function entryIn(columns: readonly Column[]): StoredRow | undefined {
  const [row, session, seq, id, type, asks, body, facts = null] = columns
  if (columns.length < 7 || columns.length > 8 || row !== null || typeof session !== 'string') return undefined
  if (typeof seq !== 'number' || typeof id !== 'string' || typeof type !== 'string') return undefined
  if ((asks !== 0 && asks !== 1) || typeof body !== 'string' || (facts !== null && typeof facts !== 'string'))
    return undefined
  return { session, seq, body, facts }
}
