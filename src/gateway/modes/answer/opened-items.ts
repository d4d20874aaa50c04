import { fields, text } from '../../../formats/shared/json.ts'
import { type ByteEdit, splice } from '../../bytes/splice.ts'
import type { FaceRequest, RequestMessage } from '../../faces/face.ts'
import { messageValue } from '../../faces/read-request.ts'
import { isOwnItem, OWN_ITEM, openedItem } from '../../records/compaction-item.ts'
import type { Exchange } from '../mode.ts'

/**
 * The request with the records of our own compaction items in the items' places, as messages of the user: no provider can
 * read such an item. The same request when it has none.
 */
export function withOpenedItems(exchange: Pick<Exchange, 'readAs'>, read: FaceRequest, key: Uint8Array): FaceRequest {
  if (read.face !== 'openai-responses' || !read.body.includes(`"${OWN_ITEM}`)) return read
  const edits = read.messages.flatMap((item) => editOf(read, item, key))
  return edits.length === 0 ? read : (exchange.readAs(splice(read.body, edits)) ?? read)
}

function editOf(read: FaceRequest, item: RequestMessage, key: Uint8Array): ByteEdit[] {
  // The items of a long conversation are not parsed to find one.
  if (!read.body.subarray(item.start, item.end).includes(`"${OWN_ITEM}`)) return []
  const value = fields(messageValue(read, item))
  const content = COMPACTIONS.has(String(value?.type)) ? text(value?.encrypted_content) : undefined
  if (content === undefined || !isOwnItem(content)) return []
  const record = openedItem(content, key) ?? UNREADABLE
  const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: record }] }
  return [{ start: item.start, end: item.end, text: JSON.stringify(message) }]
}

const COMPACTIONS: ReadonlySet<string> = new Set(['compaction', 'compaction_summary'])

const UNREADABLE =
  'The earlier part of this conversation was compacted by another installation of Pith, and its record cannot be read here.'
