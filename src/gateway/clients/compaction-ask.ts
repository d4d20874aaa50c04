import { fields, objects, text } from '../../formats/shared/json.ts'
import type { JsonValue } from '../../model/types.ts'
import { type ByteEdit, valueRange } from '../bytes/splice.ts'
import type { FaceRequest, RequestMessage } from '../faces/face.ts'
import { messageValue } from '../faces/read-request.ts'

/** The agents that `pith wrap` starts. */
export type ClientName = 'claude' | 'codex' | 'opencode' | 'pi' | 'gemini' | 'copilot' | 'qwen'

/** A client's own request for a summary of its conversation. */
export type CompactionAsk = {
  readonly client: ClientName
  /** The conversation, without the client's directive; absent when the request quotes it as one text. */
  readonly conversation?: FaceRequest
  /**
   * True if the transcript in the request begins with these words. We ask it with the session's first words, for a client
   * that puts the answer below another summary unless the transcript begins at the session's start.
   */
  readonly begins?: (words: string) => boolean
  /** The user's wish for the summary, such as the text after `/compact`. */
  readonly focus?: string
  /** How the client takes the answer: as text, as one compaction item, or as the answer of `/responses/compact`. */
  readonly form: 'text' | 'item' | 'history'
  /** The edits that replace the client's directive with ours. */
  readonly edits: (directive: string) => readonly ByteEdit[]
  /** The path of a request with these edits, if it is not the client's own. */
  readonly path?: string
  /** The record in the tags that the client looks for, if it looks for any. */
  readonly dressed?: (record: string) => string
}

/** The text at the end of a request: clients put their current instruction there. */
export type LastText = {
  readonly text: string
  /** The request without this text, and without its message if nothing else is in it. */
  readonly rest: FaceRequest
  /** The edit that replaces it with another text. */
  readonly replacedBy: (text: string) => ByteEdit
}

/** The last text of a user's last message, in any protocol. */
export function lastTextOf(read: FaceRequest): LastText | undefined {
  const message = read.messages.at(-1)
  return message === undefined ? undefined : textAtEnd(read, message)
}

function textAtEnd(read: FaceRequest, message: RequestMessage): LastText | undefined {
  const value = fields(messageValue(read, message))
  if (value?.role !== 'user') return undefined
  const key = read.face === 'gemini' ? 'parts' : 'content'
  const content = value[key]
  if (typeof content === 'string') return lastTextAt(read, message, content, [key], undefined)
  const blocks = objects(content)
  const last = text(blocks.at(-1)?.text)
  if (last === undefined) return undefined
  const rest = blocks.length === 1 ? undefined : { ...value, [key]: blocks.slice(0, -1) }
  return lastTextAt(read, message, last, [key, blocks.length - 1, 'text'], rest as JsonValue | undefined)
}

function lastTextAt(
  read: FaceRequest,
  message: RequestMessage,
  last: string,
  path: readonly (string | number)[],
  rest: JsonValue | undefined,
): LastText | undefined {
  const range = valueRange(read.body, message.start, path)
  if (range === undefined) return undefined
  const before = read.messages.slice(0, -1)
  return {
    text: last,
    rest: { ...read, messages: rest === undefined ? before : [...before, { ...message, value: rest }] },
    replacedBy: (other) => ({ ...range, text: JSON.stringify(other) }),
  }
}
