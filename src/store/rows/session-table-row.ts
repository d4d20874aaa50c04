import type { Session } from '../store.ts'

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
