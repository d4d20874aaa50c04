import { createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ChangeResult } from './port.ts'

/** The place of an export. Pith creates its own folder, but a folder that the user names must exist, as for `pith export --out`. */
export type ExportPlace = { readonly path: string; readonly folder: 'own' | 'named' }

/** Writes an exported session into a new file. An existing file is never overwritten. */
export async function writeExport(
  { path, folder }: ExportPlace,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<ChangeResult> {
  try {
    if (folder === 'own') mkdirSync(dirname(path), { recursive: true })
    await pipeline(Readable.from(pieces), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    return {
      ok: false,
      text: `${path} was not written: ${whyUnwritten(error, path)}; name another file: /export <path>`,
    }
  }
  return { ok: true, text: `Exported to ${path}` }
}

function whyUnwritten(error: unknown, path: string): string {
  if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'it exists already'
  if (!existsSync(dirname(path))) return `there is no folder ${dirname(path)}`
  return error instanceof Error ? error.message : String(error)
}
