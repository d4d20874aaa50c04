import type { Message } from '../../src/engine/index.ts'
import type { Entry } from '../../src/model/entry.ts'
import type { CostSession } from './sessions.ts'

/** Who goes on with the next task comes back later than any cache lasts. */
const PAUSE_MS = 30 * 60_000

/** One long session of several, end to end: what a person would have who never starts a new one. */
export function joined(name: string, sessions: readonly CostSession[]): CostSession {
  const log: Entry[] = []
  let at = 0
  for (const [number, session] of sessions.entries()) {
    const said = session.log.flatMap((entry) => (entry.type === 'message' ? [entry] : []))
    const start = said[0]?.at ?? 0
    for (const entry of said) {
      // What was counted in the request of one session means nothing in the long one.
      const { usage, ...rest } = entry
      const output = usage === undefined ? {} : { usage: { inputTokens: 0, outputTokens: usage.outputTokens } }
      const message = withCallIds(entry.message, `${number}:`)
      const seq = log.length + 1
      log.push({ ...rest, ...output, message, id: `e${seq}`, seq, at: at + entry.at - start })
    }
    at = (log.at(-1)?.at ?? at) + PAUSE_MS
  }
  const longest = sessions.toSorted((a, b) => b.system.length - a.system.length)[0]
  return { name, agent: 'joined', log, system: longest?.system ?? '' }
}

/** The same call ids occur in more than one session. */
function withCallIds(message: Message, prefix: string): Message {
  if (typeof message.content === 'string') return message
  const content = message.content.map((part) =>
    'toolCallId' in part ? { ...part, toolCallId: `${prefix}${part.toolCallId}` } : part,
  )
  return { ...message, content } as Message
}
