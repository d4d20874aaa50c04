import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { SessionFile } from './find-session-files.ts'

const sessionRow = z.object({
  id: z.string(),
  project_id: z.string(),
  directory: z.string(),
  title: z.string(),
  version: z.string(),
  time_created: z.number(),
  time_updated: z.number(),
})
const messageRow = z.object({ id: z.string(), data: z.string() })
const partRow = z.object({ id: z.string(), message_id: z.string(), data: z.string() })

/** The sessions in the database of opencode's folder, without those of sub-agents. A database of another shape has none. */
export function opencodeSessions(folder: string): SessionFile[] {
  const path = join(folder, 'opencode.db')
  const rows = query(path, 'SELECT * FROM session WHERE parent_id IS NULL', [], sessionRow) ?? []
  return rows.map((row) => ({
    format: 'opencode',
    id: row.id,
    path,
    modifiedAt: row.time_updated,
    size: row.time_updated,
    read: () => [exported(path, row)],
  }))
}

/** The document that opencode itself would export. */
function exported(path: string, row: z.infer<typeof sessionRow>): string {
  const messages = query(path, 'SELECT id, data FROM message WHERE session_id = ? ORDER BY id', [row.id], messageRow)
  const parts = query(path, 'SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id', [row.id], partRow)
  const info = {
    id: row.id,
    projectID: row.project_id,
    directory: row.directory,
    title: row.title,
    version: row.version,
    time: { created: row.time_created, updated: row.time_updated },
  }
  const byMessage = Map.groupBy(parts ?? [], (part) => part.message_id)
  return JSON.stringify({
    info,
    messages: (messages ?? []).map(({ id, data }) => ({
      info: { ...fields(data), id, sessionID: row.id },
      parts: (byMessage.get(id) ?? []).map((part) => ({ ...fields(part.data), id: part.id, messageID: id })),
    })),
  })
}

function fields(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function query<T>(path: string, sql: string, values: readonly string[], row: z.ZodType<T>): T[] | undefined {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    return database
      .prepare(sql)
      .all(...values)
      .flatMap((value) => {
        const parsed = row.safeParse(value)
        return parsed.success ? [parsed.data] : []
      })
  } catch {
    // The database is of another version, or locked. The sessions of other agents are listed nevertheless.
    return undefined
  } finally {
    database?.close()
  }
}
