import { fields, text } from '../../../formats/shared/json.ts'
import type { JsonValue } from '../../../model/message.ts'
import type { TextEdit } from '../../bytes/splice.ts'
import { splice } from '../../bytes/splice.ts'
import type { ClientRequest, FaceRequest } from '../../faces/face.ts'
import { readRequest } from '../../faces/read-request.ts'
import { isOwnItem, openedItem } from '../../records/compaction-item.ts'

/**
 * The request with the records of our own compaction items in the items' places, as messages of the user: no provider can
 * read such an item. The same request when it has none.
 */
export function withOpenedItems(read: FaceRequest, path: string, key: Uint8Array): FaceRequest {
  const edits = read.face === 'openai-responses' ? read.messages.flatMap((item) => editOf(item, key)) : []
  if (edits.length === 0) return read
  const request: ClientRequest = { method: 'POST', path, headers: {}, body: Buffer.from(splice(read.text, edits)) }
  return readRequest(request) ?? read
}

function editOf({ value, start, end }: { value: JsonValue; start: number; end: number }, key: Uint8Array): TextEdit[] {
  const item = fields(value)
  const content = COMPACTIONS.has(String(item?.type)) ? text(item?.encrypted_content) : undefined
  if (content === undefined || !isOwnItem(content)) return []
  const record = openedItem(content, key) ?? UNREADABLE
  const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: record }] }
  return [{ start, end, text: JSON.stringify(message) }]
}

const COMPACTIONS: ReadonlySet<string> = new Set(['compaction', 'compaction_summary'])

const UNREADABLE =
  'The earlier part of this conversation was compacted by another installation of Pith, and its record cannot be read here.'
