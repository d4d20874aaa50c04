import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

type StoredMessage = { readonly info: { readonly id: string }; readonly parts: readonly { readonly id: string }[] }

/** A session as `opencode export` writes it. */
export type OpencodeExport = {
  readonly info: {
    readonly id: string
    readonly directory: string
    readonly title: string
    readonly time: { readonly created: number; readonly updated: number }
  }
  readonly messages: readonly StoredMessage[]
}

/** Makes the database that opencode keeps its sessions in, with one session. */
export function makeOpencodeDatabase(path: string, { info, messages }: OpencodeExport): void {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  database.exec(`
    CREATE TABLE session (id TEXT, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT, session_id TEXT, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)`)
  database
    .prepare('INSERT INTO session VALUES (?, ?, NULL, ?, ?, ?, ?, ?)')
    .run(info.id, 'p', info.directory, info.title, '1.2.0', info.time.created, info.time.updated)
  database.close()
  for (const message of messages) addOpencodeMessage(path, info.id, message)
}

/** Adds a message as opencode does while it works. */
export function addOpencodeMessage(path: string, session: string, { info, parts }: StoredMessage): void {
  const database = new DatabaseSync(path)
  database.prepare('INSERT INTO message VALUES (?, ?, ?)').run(info.id, session, JSON.stringify(info))
  for (const part of parts)
    database.prepare('INSERT INTO part VALUES (?, ?, ?, ?)').run(part.id, info.id, session, JSON.stringify(part))
  database.close()
}
