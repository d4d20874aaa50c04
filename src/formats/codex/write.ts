import { textOf } from '../../model/types.ts'
import type { ResponseItem } from '../openai-responses/read.ts'
import { responseItems } from '../openai-responses/write.ts'
import type { AgentFile, WriteDeps, WriteInput } from '../shared/format.ts'
import { isoTime, jsonLines, type KeptMessage, titleOf, viewPartsOf } from '../shared/view-parts.ts'

/** The version of Codex that was seen to resume these files. */
const SEEN_VERSION = '0.166.0'

/** Writes a rollout that Codex resumes: the summary as the history that it continues with, then the tail as response items. */
export function writeCodex(session: WriteInput, deps: WriteDeps): AgentFile {
  const { ids, clock } = deps
  const sessionId = ids()
  const now = clock()
  const workspace = session.workspace ?? '/'
  const view = viewPartsOf(session.entries, deps)
  const { opening, tail } = view
  const start = tail[0]?.at ?? now
  const line = (at: number, type: string, payload: object) => ({ timestamp: isoTime(at), type, payload })
  const meta = {
    id: sessionId,
    timestamp: isoTime(now),
    cwd: workspace,
    originator: 'codex_cli_rs',
    cli_version: (session.format === 'codex' ? session.version : undefined) ?? SEEN_VERSION,
    source: 'cli',
  }
  const lines: object[] = [line(now, 'session_meta', meta)]
  if (opening !== undefined) {
    const summary = { type: 'message', role: 'user', content: [{ type: 'input_text', text: opening.text }] }
    lines.push(line(start, 'compacted', { message: opening.text, replacement_history: [summary], ...opening.field }))
    // Codex lists only sessions with a message of the user, and it shows messages only from events.
    lines.push(line(start, 'event_msg', { type: 'user_message', message: titleOf(session, view), kind: 'plain' }))
  }
  const calls = new Map<string, string>()
  for (const { message, at } of tail) {
    for (const item of responseItems([message], calls)) lines.push(line(at, 'response_item', rolloutItem(item)))
    for (const event of events(message)) lines.push(line(at, 'event_msg', event))
  }
  return { text: jsonLines(lines), sessionId, place: placeOf(now, sessionId) }
}

/** Codex wants the text of an answer in parts, although the API accepts a bare text, too. */
function rolloutItem(item: ResponseItem): object {
  if (item.type !== 'message' || typeof item.content !== 'string') return item
  return { ...item, content: [{ type: 'output_text', text: item.content }] }
}

function events(message: KeptMessage['message']): object[] {
  const words = textOf(message)
  if (words === '') return []
  if (message.role === 'user') return [{ type: 'user_message', message: words, kind: 'plain' }]
  return message.role === 'assistant' ? [{ type: 'agent_message', message: words }] : []
}

function placeOf(at: number, sessionId: string): string {
  const time = isoTime(at).slice(0, 19)
  const [day = ''] = time.split('T', 1)
  return `sessions/${day.replaceAll('-', '/')}/rollout-${time.replaceAll(':', '-')}-${sessionId}.jsonl`
}
