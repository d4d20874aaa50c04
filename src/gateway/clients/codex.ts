import { type Fields, fields, parsed } from '../../formats/shared/json.ts'
import type { ClientRequest, FaceRequest } from '../faces/face.ts'
import { messageValue } from '../faces/read-request.ts'
import type { CompactionAsk, CompactionRecogniser, SeenRequest } from './compaction-ask.ts'
import { lastTextOf } from './last-text.ts'

/**
 * Codex asks in three ways, seen on 0.166.0. A provider that is not called OpenAI gets the conversation without tools and
 * a directive as the last message; the header `x-codex-turn-metadata` says `request_kind: compaction`. One that is called
 * OpenAI gets the conversation with an item `compaction_trigger` at its end, or a call of `/responses/compact` (earlier
 * versions), and must answer with exactly one compaction item: Codex does not ask again.
 */
export const codexCompaction: CompactionRecogniser = (seen) => {
  const { read, request } = seen
  if (read.face !== 'openai-responses') return undefined
  if (isCompactPath(request.path)) return compactCall(read, request.path)
  return triggered(read) ?? directed(seen)
}

/** True for a request of a turn of Codex. */
export function isCodexTurn({ headers }: Pick<ClientRequest, 'headers'>): boolean {
  return turnOf(headers)?.request_kind === 'turn'
}

function turnOf(headers: ClientRequest['headers']): Fields | undefined {
  return fields(parsed(headers['x-codex-turn-metadata'] ?? ''))
}

/** True for the path of a call that asks for a compacted history. */
export function isCompactPath(path: string): boolean {
  return /\/responses\/compact(?:\?|$)/.test(path)
}

function triggered(read: FaceRequest): CompactionAsk | undefined {
  const item = read.messages.at(-1)
  if (item === undefined || fields(messageValue(read, item))?.type !== 'compaction_trigger') return undefined
  return {
    client: 'codex',
    conversation: { ...read, messages: read.messages.slice(0, -1) },
    form: 'item',
    edits: (directive) => [{ start: item.start, end: item.end, text: userItem(directive) }],
    dressed: (record) => record,
  }
}

function directed({ read, request }: SeenRequest): CompactionAsk | undefined {
  const last = turnOf(request.headers)?.request_kind === 'compaction' ? lastTextOf(read) : undefined
  if (last === undefined) return undefined
  return {
    client: 'codex',
    conversation: last.rest,
    form: 'text',
    edits: (directive) => [last.replacedBy(directive)],
    dressed: (record) => record,
  }
}

function compactCall(read: FaceRequest, path: string): CompactionAsk {
  const end = read.list.end - 1
  const comma = read.messages.length === 0 ? '' : ','
  return {
    client: 'codex',
    conversation: read,
    form: 'history',
    edits: (directive) => [{ start: end, end, text: comma + userItem(directive) }],
    path: path.replace('/responses/compact', '/responses'),
    dressed: (record) => record,
  }
}

function userItem(text: string): string {
  return JSON.stringify({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
}
