import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type AgentPlace, agentPlaces } from './agent-places.ts'
import { opencodeSessions } from './opencode-sessions.ts'
import type { SessionFile } from './session-file.ts'

/** The sessions of all agents on this machine, newest first. Only names and dates are read; what cannot be is left out. */
export function findSessionFiles(env: NodeJS.ProcessEnv = process.env): SessionFile[] {
  const files = [...agentPlaces(env).flatMap(filesIn), ...opencodeSessions(env)]
  return files.toSorted((a, b) => b.modifiedAt - a.modifiedAt)
}

function filesIn(place: AgentPlace): SessionFile[] {
  return place.folders.flatMap((folder) =>
    namesIn(folder)
      .filter(place.isSession)
      .flatMap((name) => fileAt(place, folder, name)),
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(sep, '/'))
  } catch {
    return []
  }
}

function fileAt({ format, idOf }: AgentPlace, folder: string, name: string): SessionFile[] {
  const path = join(folder, name)
  try {
    const { mtimeMs, size } = statSync(path)
    if (size === 0) return []
    const read = () => createReadStream(path, 'utf8')
    return [{ format, id: idOf(name), path, modifiedAt: Math.round(mtimeMs), size, read }]
  } catch {
    return []
  }
}
