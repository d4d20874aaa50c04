import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { FORMATS_TO_READ, type FormatName } from '../../formats/formats.ts'
import type { Places } from '../../formats/shared/format.ts'
import { onThisMachine } from './on-this-machine.ts'
import { opencodeSessions } from './opencode-sessions.ts'
import type { SessionFile } from './session-file.ts'

/** The sessions of all agents on this machine, newest first. Only names and dates are read. Unreadable files are left out. */
export function findSessionFiles(env: NodeJS.ProcessEnv = process.env): SessionFile[] {
  const files = FORMATS_TO_READ.flatMap(({ name, places }) => (places === undefined ? [] : filesOf(name, places, env)))
  return files.toSorted((a, b) => b.modifiedAt - a.modifiedAt)
}

function filesOf(format: FormatName, places: Places, env: NodeJS.ProcessEnv): SessionFile[] {
  const folders = foldersOf(places, env)
  // opencode has a database in its folder, not a file a session.
  if (format === 'opencode') return folders.flatMap(opencodeSessions)
  return folders.flatMap((folder) => namesIn(folder).flatMap((name) => fileAt(format, places, folder, name)))
}

function foldersOf({ folders, variables }: Places, env: NodeJS.ProcessEnv): string[] {
  return [...new Set(folders.flatMap((folder) => onThisMachine(folder, variables, env)))]
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(sep, '/'))
  } catch {
    return []
  }
}

function fileAt(format: FormatName, { file }: Places, folder: string, name: string): SessionFile[] {
  const match = file?.exec(name) ?? undefined
  if (match === undefined) return []
  const id = match.slice(1).find((group) => group !== undefined) ?? name
  const path = join(folder, name)
  try {
    const { mtimeMs, size } = statSync(path)
    if (size === 0) return []
    const read = () => createReadStream(path, 'utf8')
    return [{ format, id, path, modifiedAt: Math.round(mtimeMs), size, read }]
  } catch {
    return []
  }
}
