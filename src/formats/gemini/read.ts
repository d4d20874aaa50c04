import type { FormatReader, LineReader, ReadDeps } from '../shared/format.ts'
import { type Fields, fields, list, objects, parsed, text, time } from '../shared/json.ts'
import { SessionBuilder } from '../shared/session-builder.ts'
import { addContent } from './contents.ts'
import { isSummary } from './parts.ts'
import { addRecord } from './records.ts'

/** Reads a chat of Gemini CLI, as lines or as a document. */
export const readGemini: FormatReader = {
  lines: chatLines,
  document: chat,
  isLines(first) {
    const line = fields(parsed(first))
    return line !== undefined && !Array.isArray(line.messages)
  },
}

/** The lines are facts of the session first, then messages, patches of the facts, and rewinds. */
function chatLines(deps: ReadDeps): LineReader {
  const facts: Record<string, unknown> = {}
  let messages = new Map<string, Fields>()
  /** What summaries have replaced. A resumed chat patches its messages more than once, so it is kept apart. */
  const compressed: Fields[] = []
  return {
    read(line) {
      const patch = fields(line.$set)
      const rewind = text(line.$rewindTo)
      const id = text(line.id)
      if (rewind !== undefined) messages = before(messages, rewind)
      else if (patch !== undefined) {
        Object.assign(facts, patch)
        if (Array.isArray(patch.messages)) {
          const next = objects(patch.messages)
          if (next.some(isSummary)) compressed.push(...replaced([...messages.values()], next))
          messages = new Map(next.map((message, i) => [text(message.id) ?? `#${i}`, message]))
        }
      } else if (id !== undefined && 'type' in line) messages.set(id, line)
      else Object.assign(facts, line)
    },
    finish: () => chat({ ...facts, messages: [...compressed, ...messages.values()] }, deps),
  }
}

/** A chat or a checkpoint: the records of the program, or the bare contents of the API. */
function chat(document: unknown, deps: ReadDeps): SessionBuilder {
  const session = new SessionBuilder(deps)
  const whole = fields(document)
  const records = objects(whole?.messages)
  session.facts.sessionId = text(whole?.sessionId)
  session.facts.title = text(whole?.summary)
  session.facts.startedAt = time(whole?.startTime)
  session.facts.workspace = text(list(whole?.directories)[0])
  for (const record of records) addRecord(session, record)
  if (records.length === 0) for (const content of objects(whole?.history ?? document)) addContent(session, content)
  return session
}

/** The messages that a patch no longer has, told by their content, because those that it keeps may have new ids. */
function replaced(messages: readonly Fields[], patch: readonly Fields[]): Fields[] {
  const kept = new Set(patch.map(contentOf))
  return messages.filter((message) => !kept.has(contentOf(message)))
}

function contentOf({ type, content, toolCalls }: Fields): string {
  return JSON.stringify([type, content, toolCalls])
}

function before(messages: Map<string, Fields>, id: string): Map<string, Fields> {
  const ids = [...messages.keys()]
  const at = ids.indexOf(id)
  return at === -1 ? new Map() : new Map([...messages].slice(0, at))
}
