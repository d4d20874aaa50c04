import { fields, objects, text } from '../../formats/shared/json.ts'
import type { JsonValue } from '../../model/types.ts'
import { type ByteEdit, valueRange } from '../bytes/splice.ts'
import type { FaceRequest, RequestMessage } from '../faces/face.ts'
import { messageValue } from '../faces/read-request.ts'

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
