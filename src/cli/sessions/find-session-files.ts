import { createReadStream, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import { FORMATS_TO_READ, type FormatName } from '../../formats/formats.ts'
import type { Places, PlaceVariable } from '../../formats/shared/format.ts'
import { opencodeSessions } from './opencode-sessions.ts'
import type { SessionFile } from './session-file.ts'

/** The sessions of all agents on this machine, newest first. Only names and dates are read; what cannot be is left out. */
export function findSessionFiles(env: NodeJS.ProcessEnv = process.env): SessionFile[] {
  const files = FORMATS_TO_READ.flatMap((format) =>
    'places' in format ? filesOf(format.name, format.places, env) : [],
  )
  return files.toSorted((a, b) => b.modifiedAt - a.modifiedAt)
}

function filesOf(format: FormatName, places: Places, env: NodeJS.ProcessEnv): SessionFile[] {
  const folders = foldersOf(places, env)
  if (format === 'opencode') return folders.flatMap(opencodeSessions)
  return folders.flatMap((folder) => namesIn(folder).flatMap((name) => fileAt(format, places, folder, name)))
}

/** The folders on this machine. Of the variables that are set the first that replaces a part of a path counts. */
function foldersOf({ folders, variables }: Places, env: NodeJS.ProcessEnv): string[] {
  const home: PlaceVariable = { name: 'HOME', replaces: ['~'] }
  const found = folders.flatMap((folder) => {
    for (const { name, replaces, isList = false } of [...variables, home]) {
      const value = env[name] || (name === 'HOME' ? homedir() : '')
      const start = replaces.find((start) => folder.startsWith(`${start}/`))
      if (value === '' || start === undefined) continue
      return (isList ? value.split(',') : [value]).map((root) => join(root.trim(), folder.slice(start.length)))
    }
    return []
  })
  return [...new Set(found)]
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
