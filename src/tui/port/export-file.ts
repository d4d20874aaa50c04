import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ChangeResult } from './port-data.ts'

/** Writes an exported session into a new file. An existing file is never overwritten. */
export async function writeExport(
  file: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<ChangeResult> {
  try {
    mkdirSync(dirname(file), { recursive: true })
    await pipeline(Readable.from(pieces), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const why = exists ? 'it exists already' : error instanceof Error ? error.message : String(error)
    return { ok: false, text: `${file} was not written: ${why}; name another file: /export <path>` }
  }
  return { ok: true, text: `Exported to ${file}` }
}
