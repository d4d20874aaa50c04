import { createReadStream, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { decode } from '../formats/decode.ts'
import { answerOpenCalls } from '../formats/shared/view-parts.ts'
import { PithError } from '../model/problems/errors.ts'
import { madeSession } from './made/made-session.ts'
import type { EvalSession } from './play.ts'
import { readEvents } from './truth/read-events.ts'

/** Made-up sessions, the same every time: long enough for this many tokens. */
export function* madeSessions(count: number, tokens: number): Iterable<EvalSession> {
  for (let seed = 1; seed <= count; seed++) yield madeSession(seed, tokens * CHARACTERS_A_TOKEN)
}

/** Code and logs have about three characters a token. A bit more, so that no session is too short. */
const CHARACTERS_A_TOKEN = 4

/** The files of a folder, in the order of their names. */
export function sessionFiles(folder: string): string[] {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) throw new PithError('bad-argument', `--sessions: there is no folder ${folder}`)
  if (stats.isFile()) return [folder]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.(?:jsonl?|traj|md)$/.test(path) && statSync(path).isFile())
    .toSorted()
}

/** Recorded sessions of any agent, as if they had never been compacted. Files that hold none are named to `skip`. */
export async function* recordedSessions(
  files: readonly string[],
  skip: (name: string) => void,
): AsyncIterable<EvalSession> {
  for (const path of files) {
    const decoded = await decode(createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 * 1024 }))
    if (!decoded.ok) {
      skip(basename(path))
      continue
    }
    const entries = decoded.session.entries.filter((entry) => entry.type === 'message')
    const messages = answerOpenCalls(entries).flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
    yield { name: basename(path), messages, events: readEvents(messages) }
  }
}
