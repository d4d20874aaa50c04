import { existsSync } from 'node:fs'
import { changesView } from '../../../engine/context/view/activity.ts'
import { PithError } from '../../../model/problems/errors.ts'
import type { Entry } from '../../../model/types.ts'
import { readStoredEntry } from '../../rows/stored-entry.ts'
import { LOCAL_OWNER, type Session, type SessionId } from '../../store.ts'
import { inTransaction } from '../database.ts'
import { insertEntry } from '../entry-rows.ts'
import { openDatabase } from '../open-database.ts'
import { indexWaiting } from '../search-index.ts'
import { insertSession } from '../session-rows.ts'
import { type Column, DatabasePages, tableRecords } from './table-records.ts'

/** The counts of copied rows, and the entries that could not be copied. */
export type SalvageReport = {
  readonly sessions: number
  readonly entries: number
  readonly lost: readonly LostEntries[]
  /** Sessions whose own row is gone: their folder and title are not known any more. */
  readonly unnamed: readonly SessionId[]
}

/** Entries of a session that are not in the new database. */
export type LostEntries = { readonly session: SessionId; readonly seqs: readonly number[]; readonly reason?: string }

/** Copies everything that can be read from a damaged database into a new file. The old one does not change. */
export function salvageSqlite(from: string, to: string): SalvageReport {
  if (!existsSync(from)) throw new PithError('bad-argument', `there is no file ${from}`)
  if (existsSync(to)) throw new PithError('file-exists', `${to} exists already: name a new file`)
  const found = foundRows(new DatabasePages(from))
  const unnamed = [...found.entries.keys()].filter((id) => !found.sessions.has(id))
  const sessions = inOrder([...found.sessions.values(), ...unnamed.map((id) => unnamedSession(id, found))])
  if (sessions.length === 0) throw new PithError('store-damaged', `${from} has no session that can be read`)
  const database = openDatabase(to)
  let entries = 0
  try {
    // The parent of a fork may be missing. The fork keeps its own entries.
    database.exec('PRAGMA foreign_keys = OFF')
    inTransaction(database, () => {
      for (const session of sessions) {
        const log = logOf(found, session.id)
        insertSession(database, endingWith(session, log))
        if (session.hidden) database.prepare('UPDATE sessions SET hidden = 1 WHERE id = ?').run(session.id)
        for (const entry of log) insertEntry(database, session.id, ++entries, entry)
      }
      indexWaiting(database)
    })
  } finally {
    database.close()
  }
  return { sessions: sessions.length, entries, lost: sessions.flatMap((session) => lostOf(session, found)), unnamed }
}

function logOf({ entries }: FoundRows, id: SessionId): Entry[] {
  return [...(entries.get(id)?.values() ?? [])].toSorted((a, b) => a.seq - b.seq)
}

/** The log ends at the seq of the row or at the last entry that was found, whichever is later: no seq is given twice. */
function endingWith(
  { hidden: _, ...session }: SalvagedSession,
  log: readonly Entry[],
): Omit<SalvagedSession, 'hidden'> {
  return {
    ...session,
    lastSeq: Math.max(session.lastSeq, log.at(-1)?.seq ?? 0),
    revision: log.findLast(changesView)?.seq ?? Math.min(session.revision, session.parent?.seq ?? 0),
  }
}

function unnamedSession(id: SessionId, found: FoundRows): SalvagedSession {
  const log = logOf(found, id)
  const [first, last] = [log[0]?.at ?? 0, log.at(-1)?.at ?? 0]
  const title = `salvaged ${id.slice(0, 8)}`
  return {
    id,
    owner: LOCAL_OWNER,
    workspace: '',
    title,
    createdAt: first,
    updatedAt: last,
    lastSeq: log.at(-1)?.seq ?? 0,
    revision: 0,
    hidden: false,
  }
}

/** Parents before their forks. */
function inOrder(sessions: readonly SalvagedSession[]): SalvagedSession[] {
  const known = new Set(sessions.map(({ id }) => id))
  const kept = sessions.map((session) =>
    session.parent === undefined || known.has(session.parent.id) ? session : { ...session, parent: undefined },
  )
  return kept.toSorted(
    (a, b) => a.createdAt - b.createdAt || Number(a.parent !== undefined) - Number(b.parent !== undefined),
  )
}

/** The entries of a session's own log that were not found. */
function lostOf({ id, parent, lastSeq }: SalvagedSession, { entries, bad }: FoundRows): LostEntries[] {
  const there = entries.get(id) ?? new Map()
  const reasons = new Map(bad.filter(({ session }) => session === id).map(({ seq, reason }) => [seq, reason]))
  const seqs: number[] = []
  for (let seq = (parent?.seq ?? 0) + 1; seq <= lastSeq; seq++) if (!there.has(seq) && !reasons.has(seq)) seqs.push(seq)
  return [
    ...(seqs.length === 0 ? [] : [{ session: id, seqs }]),
    ...[...reasons].map(([seq, reason]) => ({ session: id, seqs: [seq], reason })),
  ]
}

/** The rows that can be read from a database: its sessions, and the entries of each by their seq. */
type FoundRows = {
  readonly sessions: ReadonlyMap<SessionId, SalvagedSession>
  readonly entries: ReadonlyMap<SessionId, ReadonlyMap<number, Entry>>
  /** Entries that are there but cannot be read. */
  readonly bad: readonly { readonly session: SessionId; readonly seq: number; readonly reason: string }[]
}

/** `hidden`: it was deleted, but forks share its entries. */
type SalvagedSession = Session & { readonly hidden: boolean }

/** Reads all rows of the tables of sessions and entries, anywhere in the file. */
function foundRows(pages: DatabasePages): FoundRows {
  const sessions = new Map<SessionId, SalvagedSession>()
  const entries = new Map<SessionId, Map<number, Entry>>()
  const bad: { session: SessionId; seq: number; reason: string }[] = []
  for (const { columns } of tableRecords(pages)) {
    const session = sessionIn(columns)
    // A page that is no longer in use may have an earlier state of the row.
    if (session !== undefined && session.lastSeq >= (sessions.get(session.id)?.lastSeq ?? 0))
      sessions.set(session.id, session)
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

/** The columns of `entries`. The first is the number of the row, which a record leaves empty; earlier forms had no facts and no size. */
function entryIn(columns: readonly Column[]): StoredRow | undefined {
  const [row, session, seq, id, type, asks, body, facts = null] = columns
  if (columns.length < 7 || columns.length > 9 || row !== null || typeof session !== 'string') return undefined
  if (typeof seq !== 'number' || typeof id !== 'string' || typeof type !== 'string') return undefined
  if ((asks !== 0 && asks !== 1) || typeof body !== 'string' || (facts !== null && typeof facts !== 'string'))
    return undefined
  return { session, seq, body, facts }
}
