import { Draft, type LineReader } from '../codec.ts'
import { type Fields, fields, list, objects, text, time } from '../json.ts'
import { addContent } from './contents.ts'
import { addRecord } from './records.ts'

/** Reads the JSON Lines of Gemini CLI: facts of the session first, then messages, patches of the facts, and rewinds. */
export function geminiReader(): LineReader {
  const facts: Record<string, unknown> = {}
  let messages = new Map<string, Fields>()
  return {
    read(line) {
      const patch = fields(line.$set)
      const rewind = text(line.$rewindTo)
      const id = text(line.id)
      if (rewind !== undefined) messages = before(messages, rewind)
      else if (patch !== undefined) {
        Object.assign(facts, patch)
        // A patch of the messages takes the place of all that were written.
        if (Array.isArray(patch.messages))
          messages = new Map(objects(patch.messages).map((message, i) => [text(message.id) ?? `#${i}`, message]))
      } else if (id !== undefined && 'type' in line) messages.set(id, line)
      else Object.assign(facts, line)
    },
    finish: () => readGemini({ ...facts, messages: [...messages.values()] }),
  }
}

/** Reads a chat or a checkpoint of Gemini CLI: its own records, or the bare contents of the API. */
export function readGemini(document: unknown): Draft {
  const draft = new Draft()
  const whole = fields(document)
  const records = objects(whole?.messages)
  draft.facts.sessionId = text(whole?.sessionId)
  draft.facts.title = text(whole?.summary)
  draft.facts.startedAt = time(whole?.startTime)
  draft.facts.workspace = text(list(whole?.directories)[0])
  for (const record of records) addRecord(draft, record)
  if (records.length === 0) for (const content of objects(whole?.history ?? document)) addContent(draft, content)
  return draft
}

function before(messages: Map<string, Fields>, id: string): Map<string, Fields> {
  const ids = [...messages.keys()]
  const at = ids.indexOf(id)
  return at === -1 ? new Map() : new Map([...messages].slice(0, at))
}
