import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Entry } from '../../src/engine/index.ts'
import { decode } from '../../src/formats/index.ts'
import { pieces } from '../formats/pieces.ts'
import { madeUpSession } from './made-up.ts'

export type Session = { readonly name: string; readonly entries: readonly Entry[] }

/** The sessions to measure on: those recorded in the folders, else made-up ones that are the same every time. */
export async function* sessionsIn(folders: readonly string[], quick: boolean): AsyncIterable<Session> {
  if (folders.length === 0) {
    for (const seed of quick ? [1] : [1, 2, 3, 4]) yield madeUpSession(seed)
    return
  }
  const files = folders.flatMap(filesIn)
  for (const path of quick ? files.filter((_, i) => i % 4 === 1) : files) {
    const result = await decode(pieces(path))
    if (result.ok) yield { name: basename(path), entries: result.session.entries }
  }
}

function filesIn(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && /\.(?:jsonl?|traj)$/.test(path))
    .toSorted()
}
