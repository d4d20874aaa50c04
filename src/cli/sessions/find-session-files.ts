import { createReadStream, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import { FORMATS_TO_READ, type FormatName } from '../../formats/formats.ts'
import type { Places, PlaceVariable } from '../../formats/shared/format.ts'
import type { Pieces } from '../../formats/shared/lines.ts'
import { opencodeSessions } from './opencode-sessions.ts'

/** A session that an agent keeps on this machine, not read yet. */
export type SessionFile = {
  readonly format: FormatName
  /** The agent's own name for the session. */
  readonly id: string
  /** The file, or the database that it is in. */
  readonly path: string
  readonly modifiedAt: number
  /** A file whose size or date differs is read again. */
  readonly size: number
  readonly read: () => Pieces
}

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

/** A folder of an agent on this machine. The first variable that is set and replaces the beginning of its path counts. */
export function onThisMachine(
  folder: string,
  variables: readonly PlaceVariable[],
  env: NodeJS.ProcessEnv = process.env,
): string[] {
  for (const { name, replaces, isList } of variables) {
    const value = env[name] ?? ''
    const start = replaces.find((start) => folder === start || folder.startsWith(`${start}/`))
    if (value === '' || start === undefined) continue
    const roots = isList === true ? value.split(',').map((root) => root.trim()) : [value]
    return roots.map((root) => join(root, folder.slice(start.length)))
  }
  return [join(env.HOME || homedir(), folder.slice('~'.length))]
}
