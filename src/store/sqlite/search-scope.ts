import type { Seq } from '../../model/types.ts'
import type { SearchQuery, SessionId } from '../store.ts'
import type { Database } from './database.ts'
import { selectSegments } from './entry-rows.ts'
import { selectSession } from './session-rows.ts'

/** The entries that a search may find. */
export type SearchScope = {
  /** The owners of their sessions; undefined: all. */
  readonly owners: readonly string[] | undefined
  /** The highest seq of a session that may be found; -1: none. */
  upTo(session: SessionId): Seq
  /** The session that an entry is found in. When its own was deleted, a fork that still shares the entry. */
  holderOf(session: SessionId, seq: Seq): SessionId | undefined
}

export function searchScope(database: Database, query: SearchQuery): SearchScope {
  return query.session === undefined ? scopeOfMany(database, query) : scopeOfOne(database, query, query.session)
}

/** All entries of a session, with those that it shares with its ancestors. */
function scopeOfOne(database: Database, { owner, with: others = [] }: SearchQuery, id: SessionId): SearchScope {
  const session = selectSession(database, id)
  const mayRead = session !== undefined && (owner === undefined || owner === session.owner)
  const segments = mayRead ? selectSegments(database, id) : []
  const ends = new Map(segments.map((segment) => [segment.id, segment.upTo]))
  const beside = new Set(others.filter((one) => mayRead && selectSession(database, one)?.owner === session.owner))
  for (const one of beside) ends.set(one, Number.MAX_SAFE_INTEGER)
  return {
    owners: ownersOf(database, [...ends.keys()]),
    upTo: (one) => ends.get(one) ?? -1,
    holderOf: (one) => (beside.has(one) ? one : id),
  }
}

type Fork = { readonly id: SessionId; readonly upTo: Seq }

/** The entries of each session, and those of deleted ones that forks share. */
function scopeOfMany(database: Database, query: SearchQuery): SearchScope {
  const found = new Set(visibleSessions(database, query))
  const forks = forksOfDeleted(database, found)
  return {
    owners: query.owner === undefined ? undefined : [query.owner, ...ownersOf(database, [...forks.keys()])],
    upTo: (id) =>
      found.has(id) ? Number.MAX_SAFE_INTEGER : Math.max(-1, ...(forks.get(id) ?? []).map(({ upTo }) => upTo)),
    holderOf: (id, seq) => (found.has(id) ? id : forks.get(id)?.find(({ upTo }) => seq <= upTo)?.id),
  }
}

function visibleSessions(database: Database, { owner, among }: SearchQuery): SessionId[] {
  const conditions = ['hidden = 0']
  const values: string[] = []
  if (owner !== undefined) {
    conditions.push('owner = ?')
    values.push(owner)
  }
  if (among !== undefined) {
    conditions.push('id IN (SELECT value FROM json_each(?))')
    values.push(JSON.stringify(among))
  }
  const rows = database.prepared(`SELECT id FROM sessions WHERE ${conditions.join(' AND ')}`).all(...values)
  return rows.map(({ id }) => String(id))
}

/** The forks of each deleted session among `found`, the oldest first. */
function forksOfDeleted(database: Database, found: ReadonlySet<SessionId>): ReadonlyMap<SessionId, readonly Fork[]> {
  const deleted = new Map<SessionId, Fork[]>()
  for (const { id } of database.prepared('SELECT id FROM sessions WHERE hidden = 1').all()) deleted.set(String(id), [])
  if (deleted.size === 0) return deleted
  const sql = 'SELECT id FROM sessions WHERE hidden = 0 AND parent_id IS NOT NULL ORDER BY created_at, id'
  for (const { id } of database.prepared(sql).all()) {
    const fork = String(id)
    if (!found.has(fork)) continue
    for (const segment of selectSegments(database, fork))
      deleted.get(segment.id)?.push({ id: fork, upTo: segment.upTo })
  }
  return deleted
}

function ownersOf(database: Database, ids: readonly SessionId[]): string[] {
  const sql = 'SELECT DISTINCT owner FROM sessions WHERE id IN (SELECT value FROM json_each(?))'
  return database
    .prepared(sql)
    .all(JSON.stringify(ids))
    .map(({ owner }) => String(owner))
}

/** The seq of the user message that began an entry's turn. A fork may share it with its parent. */
export function turnOf(database: Database, id: SessionId, seq: Seq): Seq {
  const sql = 'SELECT max(seq) AS seq FROM entries WHERE session_id = ? AND asks = 1 AND seq <= ?'
  for (const segment of selectSegments(database, id).toReversed()) {
    const found = database.prepared(sql).get(segment.id, Math.min(seq, segment.upTo))?.seq
    if (found !== null && found !== undefined) return Number(found)
  }
  return 0
}
