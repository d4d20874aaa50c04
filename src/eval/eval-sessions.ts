import { createReadStream, readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { decode } from '../formats/decode.ts'
import { messageOf, PithError } from '../model/problems/errors.ts'
import { type Message, partsOf, resultsOf } from '../model/types.ts'
import type { Forms } from './made/forms.ts'
import { madeSession } from './made/made-session.ts'
import type { EvalSession } from './play.ts'
import { readEvents } from './truth/read-events.ts'
import { labelledRules } from './truth/rule-labels.ts'

/** Made-up sessions, the same every time: long enough for this many tokens. */
export function* madeSessions(count: number, tokens: number, seed = 1, forms?: Forms): Iterable<EvalSession> {
  for (let i = 0; i < count; i++) yield madeSession(seed + i, tokens * CHARACTERS_A_TOKEN, forms)
}

/** Code and logs have about three characters a token. A bit more, so that no session is too short. */
const CHARACTERS_A_TOKEN = 4

/** The files of a folder, in the order of their names. A file is known by its path within the folder: several agents call every session the same. */
export function sessionFiles(folder: string): { readonly path: string; readonly name: string }[] {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) throw new PithError('bad-argument', `--sessions: there is no folder ${folder}`)
  if (stats.isFile()) return [{ path: folder, name: basename(folder) }]
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(?:jsonl?|traj)$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .toSorted()
    .map((path) => ({ path, name: relative(folder, path) }))
}

/** Recorded sessions of any agent, as if they had never been compacted. Files that hold none are named to `skip`. */
export async function* recordedSessions(
  files: ReturnType<typeof sessionFiles>,
  skip: (name: string) => void,
): AsyncIterable<EvalSession> {
  for (const { path, name } of files) {
    const text = createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 * 1024 })
    const decoded = await decode(text).catch((error: unknown) => ({ ok: false as const, text: messageOf(error) }))
    if (!decoded.ok) {
      skip(`${name}: ${decoded.text}`)
      continue
    }
    const messages = withoutOpenCalls(
      decoded.session.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])),
    )
    const events = [...labelledRules(messages), ...readEvents(messages)].toSorted((a, b) => a.at - b.at)
    yield { name, messages, events }
  }
}

/** Without calls that were interrupted: no provider takes a call without a result, and no compactor is to blame for one. */
function withoutOpenCalls(messages: readonly Message[]): Message[] {
  const answered = new Set(messages.flatMap((message) => resultsOf(message).map(({ toolCallId }) => toolCallId)))
  const whole = messages.map((message) => {
    const content = partsOf(message).filter((part) => part.type !== 'tool-call' || answered.has(part.toolCallId))
    return content.length === partsOf(message).length ? message : ({ ...message, content } as Message)
  })
  return whole.filter(({ content }) => content.length > 0)
}
