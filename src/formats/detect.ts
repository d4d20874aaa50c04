import type { Format } from './format.ts'
import { type Fields, fields, objects, parsed } from './json.ts'

/** How much of a file is enough to tell its format. */
export const HEAD_CHARACTERS = 64 * 1024

/** Tells the format of a file from its beginning; the name decides nothing that the content does not say. */
export function detect(head: string): Format | undefined {
  const text = head.replace(/^\uFEFF/, '')
  const whole = parsed(text)
  if (whole !== undefined) return lineFormat(fields(whole) ?? {}) ?? documentFormat(whole)
  const lines = text
    .split('\n', 50)
    .map((line) => (line.trimStart().startsWith('{') ? fields(parsed(line)) : undefined))
    .filter((line) => line !== undefined)
  for (const line of lines) {
    const format = lineFormat(line)
    if (format !== undefined) return format
  }
  return truncatedFormat(text) ?? documentFormat(lines)
}

/** The format that has lines like this one. */
function lineFormat(line: Fields): Format | undefined {
  const { type } = line
  const payload = fields(line.payload)
  if (type === 'session' && 'workspace' in line && 'lastSeq' in line) return 'pith'
  if (type === 'session' && ('cwd' in line || 'timestamp' in line)) return 'pi'
  if (payload !== undefined && typeof type === 'string' && CODEX_LINES.has(type)) return 'codex'
  if (line.record_type === 'state' || ('instructions' in line && 'id' in line && 'timestamp' in line)) return 'codex'
  if (typeof type === 'string' && /^(?:session|user|assistant|tool|system)\.\w+$/.test(type) && 'data' in line)
    return 'copilot'
  if ('sessionId' in line && 'projectHash' in line && !Array.isArray(line.messages)) return 'gemini'
  if (isClaudeLine(line)) return 'claude-code'
  if (Array.isArray(line.history) && ('instance_id' in line || 'instance' in line)) return 'openhands'
  return undefined
}

const CODEX_LINES: ReadonlySet<string> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
])
const CLAUDE_LINES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'progress', 'attachment'])
const CLAUDE_ONLY: ReadonlySet<unknown> = new Set([
  'file-history-snapshot',
  'queue-operation',
  'custom-title',
  'ai-title',
])

function isClaudeLine(line: Fields): boolean {
  if (CLAUDE_LINES.has(line.type) && 'uuid' in line && ('parentUuid' in line || 'sessionId' in line)) return true
  return CLAUDE_ONLY.has(line.type) || (line.type === 'summary' && 'leafUuid' in line)
}

/** The format that is a document like this one. */
export function documentFormat(document: unknown): Format | undefined {
  if (Array.isArray(document)) return listFormat(objects(document))
  const whole = fields(document)
  if (whole === undefined) return undefined
  if (Array.isArray(whole.messages) && 'projectHash' in whole) return 'gemini'
  if (
    fields(whole.info) !== undefined &&
    objects(whole.messages).some((message) => 'parts' in message && 'info' in message)
  )
    return 'opencode'
  if (/^mini-swe-agent/.test(String(whole.trajectory_format))) return 'mini-swe-agent'
  if (Array.isArray(whole.trajectory) && Array.isArray(whole.history)) return 'swe-agent'
  if (Array.isArray(whole.history)) return listFormat(objects(whole.history))
  if (Array.isArray(whole.input)) return 'openai-responses'
  if (Array.isArray(whole.messages)) return listFormat(objects(whole.messages)) ?? undefined
  return undefined
}

/** Which of the message lists it is: the first item that only one of them has decides. */
function listFormat(items: readonly Fields[]): Format | undefined {
  for (const item of items) {
    const format = itemFormat(item)
    if (format !== undefined) return format
  }
  const isChat = items.length > 0 && items.every((item) => 'role' in item && 'content' in item)
  return isChat ? (items.some((item) => 'parts' in item) ? 'ai-sdk-ui' : 'ai-sdk') : undefined
}

function itemFormat(item: Fields): Format | undefined {
  if ('observation' in item || ('action' in item && 'source' in item)) return 'openhands'
  if (typeof item.type === 'string' && RESPONSE_ITEMS.has(item.type)) return 'openai-responses'
  if (Array.isArray(item.parts)) return item.role === 'model' || !('id' in item) ? 'gemini' : 'ai-sdk-ui'
  if ('tool_calls' in item || 'tool_call_id' in item || item.role === 'developer') return 'openai-chat'
  for (const { type } of objects(item.content)) {
    const format = PART_FORMATS.get(String(type))
    if (format !== undefined) return format
  }
  return undefined
}

const RESPONSE_ITEMS: ReadonlySet<string> = new Set([
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'item_reference',
])
const PART_FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['tool-call', 'ai-sdk'],
  ['tool-result', 'ai-sdk'],
  ['reasoning', 'ai-sdk'],
  ['file', 'ai-sdk'],
  ['tool_use', 'anthropic'],
  ['tool_result', 'anthropic'],
  ['thinking', 'anthropic'],
  ['document', 'anthropic'],
  ['image_url', 'openai-chat'],
  ['input_text', 'openai-responses'],
  ['output_text', 'openai-responses'],
])

/** What the beginning of a document that goes on tells; the whole of it is looked at again when it is read. */
function truncatedFormat(head: string): Format | undefined {
  return TRUNCATED.find(([pattern]) => pattern.test(head))?.[1]
}

const TRUNCATED: readonly (readonly [RegExp, Format])[] = [
  [/^\s*\{\s*"info"\s*:\s*\{[\s\S]*"(?:projectID|slug)"\s*:/, 'opencode'],
  [/"trajectory_format"\s*:\s*"mini-swe-agent|^\s*\{\s*"info"\s*:\s*\{\s*"exit_status"/, 'mini-swe-agent'],
  [/^\s*\{\s*"trajectory"\s*:\s*\[/, 'swe-agent'],
  [/"projectHash"\s*:/, 'gemini'],
  [/^\s*\{\s*"instance_id"\s*:/, 'openhands'],
  [
    /^\s*\{\s*"type"\s*:\s*"(?:session_meta|response_item)"|^\s*\{\s*"timestamp"\s*:\s*"[^"]*",\s*"type"\s*:\s*"session_meta"/,
    'codex',
  ],
  [/^\s*\{\s*"parentUuid"\s*:/, 'claude-code'],
  [/^\s*\{\s*"type"\s*:\s*"session\.start"/, 'copilot'],
  [/"role"\s*:\s*"model"/, 'gemini'],
  [/^\s*\[\s*\{[^[]*"parts"\s*:\s*\[/, 'ai-sdk-ui'],
  [/"tool_calls"\s*:|"tool_call_id"\s*:/, 'openai-chat'],
  [/"type"\s*:\s*"(?:tool_use|tool_result)"/, 'anthropic'],
  [/"type"\s*:\s*"(?:function_call|function_call_output)"/, 'openai-responses'],
  [/"type"\s*:\s*"(?:tool-call|tool-result)"/, 'ai-sdk'],
  [/^\s*(?:\[|\{\s*"messages"\s*:\s*\[)\s*\{[\s\S]*"role"\s*:\s*"(?:system|user|assistant)"/, 'ai-sdk'],
]
