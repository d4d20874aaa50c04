import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportSession } from '../../session/export-session.ts'
import type { Store } from '../../store/store.ts'
import type { Done } from '../port-data.ts'

/** Writes a session as JSON Lines to a file that is not there yet. */
export async function exportLog(store: Store, id: string, workspace: string, path: string): Promise<Done> {
  const file = resolve(workspace, path)
  try {
    const lines = Readable.from(withEnds(exportSession(store, id)))
    await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const why = isThere ? 'it is there already' : error instanceof Error ? error.message : String(error)
    return { ok: false, text: `${file} was not written: ${why}; name another file: /export <path>` }
  }
  return { ok: true, text: `Exported to ${file}` }
}

async function* withEnds(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) yield `${line}\n`
}
