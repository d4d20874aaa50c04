import { createHash } from 'node:crypto'
import type { Seq } from '../../model/types.ts'
import type { LeaseHolder, Session, SessionId } from '../store.ts'

/** A row of the table of sessions; both databases have the same columns. */
export type SessionTableRow = {
  readonly id: string
  readonly owner: string
  readonly workspace: string
  readonly title: string | null
  readonly parent_id: string | null
  readonly parent_seq: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly last_seq: number
  readonly revision: number
}

/** The session of a row. */
export function sessionFrom(row: SessionTableRow): Session {
  return {
    id: row.id,
    owner: row.owner,
    workspace: row.workspace,
    title: row.title ?? undefined,
    parent: row.parent_id === null ? undefined : { id: row.parent_id, seq: row.parent_seq ?? 0 },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastSeq: row.last_seq,
    revision: row.revision,
  }
}

/** The id that follows from a key: its hash in the form of a UUID. The same key gives the same id in every process. */
export function keyedId(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** A row of the table of leases, as both databases read it. */
export type LeaseRow = { readonly holder: string; readonly expires_at: number }

/** The holder of a lease; undefined when the lease is free or expired. */
export function leaseHolder(row: LeaseRow | undefined, now: number): LeaseHolder | undefined {
  return row === undefined || row.expires_at <= now ? undefined : { holder: row.holder, expiresAt: row.expires_at }
}

/** The part of a log that is stored with one session; bounds are inclusive. The log of a fork has several. */
export type LogSegment = { readonly id: SessionId; readonly from: Seq; readonly upTo: Seq }

/** The tables that have rows of a session beside its log. A session that is deleted loses them, even if forks share its entries. */
export const BESIDE_LOG = [
  'leases',
  'pauses',
  'append_keys',
  'signals',
  'summaries',
  'accounts',
  'sizes',
  'chains',
  'chain_holders',
  'server_grants',
] as const
