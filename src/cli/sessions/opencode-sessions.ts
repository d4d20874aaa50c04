import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { opencodeDatabaseSessions } from './opencode-database.ts'
import type { SessionFile } from './session-file.ts'

/** The sessions of opencode: in its database, or in its older form, where each message and each part is a file. */
export function opencodeSessions(folder: string): SessionFile[] {
  const database = join(folder, 'opencode.db')
  return existsSync(database) ? opencodeDatabaseSessions(database) : storedSessions(join(folder, 'storage'))
}

function storedSessions(storage: string): SessionFile[] {
  return namesIn(join(storage, 'session')).flatMap((project) =>
    namesIn(join(storage, 'session', project)).flatMap((name) => {
      const path = join(storage, 'session', project, name)
      try {
        const { mtimeMs, size } = statSync(path)
        const id = name.replace(/\.json$/, '')
        if (!name.endsWith('.json') || namesIn(join(storage, 'message', id)).length === 0) return []
        const read = () => [exported(storage, id, path)]
        return [{ format: 'opencode' as const, id, path, modifiedAt: Math.round(mtimeMs), size, read }]
      } catch {
        return []
      }
    }),
  )
}

/** The document that opencode itself would export. */
function exported(storage: string, id: string, path: string): string {
  const messages = namesIn(join(storage, 'message', id)).map((name) => {
    const message = name.replace(/\.json$/, '')
    const parts = namesIn(join(storage, 'part', message)).map((part) => textOf(join(storage, 'part', message, part)))
    return `{"info":${textOf(join(storage, 'message', id, name))},"parts":[${parts.join(',')}]}`
  })
  return `{"info":${textOf(path)},"messages":[${messages.join(',')}]}`
}

/** File names in order. Ids ascend with time, so this is the order of the messages. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

/** The JSON of a file. A damaged file is empty, so that the rest of the document stays readable. */
function textOf(path: string): string {
  try {
    return JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return '{}'
  }
}
