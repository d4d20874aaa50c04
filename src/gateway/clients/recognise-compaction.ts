import { PITH_PROMPTS } from '../../engine/record/prompts/pith-prompts.ts'
import { type Fields, fields, objects, parsed, text } from '../../formats/shared/json.ts'
import { type ByteEdit, valueRange } from '../bytes/splice.ts'
import type { ClientRequest, FaceRequest } from '../faces/face.ts'
import { messageValue, readRequest } from '../faces/read-request.ts'
import { type ClientName, type CompactionAsk, type LastText, lastTextOf } from './compaction-ask.ts'

/** The client's own compaction request; undefined for every other request, and for wordings that nobody has seen. */
export function recogniseCompaction(request: ClientRequest, read: FaceRequest | undefined): CompactionAsk | undefined {
  const seen = read ?? compactRequest(request)
  if (seen === undefined) return undefined
  for (const recognise of RECOGNISERS) {
    const ask = recognise(seen, request)
    if (ask !== undefined) return ask
  }
  return undefined
}

/** Recognises a client's own compaction request by something that only this client sends. */
type CompactionRecogniser = (read: FaceRequest, request: ClientRequest) => CompactionAsk | undefined

/** Clients that name their compaction in a header come first. */
const RECOGNISERS: readonly CompactionRecogniser[] = [
  copilotCompaction,
  codexCompaction,
  claudeCodeCompaction,
  geminiCompaction,
  qwenCompaction,
  opencodeCompaction,
  piCompaction,
]

/** Copilot CLI names its compaction in a header, and sends its conversation with a directive as the last message. Seen on 1.0.102. */
function copilotCompaction(read: FaceRequest, { headers }: ClientRequest): CompactionAsk | undefined {
  const last = headers['x-interaction-type'] === 'conversation-compaction' ? lastTextOf(read) : undefined
  return last && directiveAsk('copilot', last)
}

/**
 * Codex asks in three ways, seen on 0.166.0. A provider that is not called OpenAI gets the conversation without tools and
 * a directive as the last message; the header `x-codex-turn-metadata` says `request_kind: compaction`. One that is called
 * OpenAI gets the conversation with an item `compaction_trigger` at its end, or a call of `/responses/compact` (earlier
 * versions), and must answer with exactly one compaction item: Codex does not ask again.
 */
function codexCompaction(read: FaceRequest, { path, headers }: ClientRequest): CompactionAsk | undefined {
  if (read.face !== 'openai-responses') return undefined
  if (isCompactPath(path)) return compactCall(read, path)
  const last = turnOf(headers)?.request_kind === 'compaction' ? lastTextOf(read) : undefined
  return triggered(read) ?? (last && directiveAsk('codex', last))
}

/** True for a request of a turn of Codex. */
export function isCodexTurn({ headers }: Pick<ClientRequest, 'headers'>): boolean {
  return turnOf(headers)?.request_kind === 'turn'
}

function turnOf(headers: ClientRequest['headers']): Fields | undefined {
  return fields(parsed(headers['x-codex-turn-metadata'] ?? ''))
}

/** True for the path of a call that asks for a compacted history. */
function isCompactPath(path: string): boolean {
  return /\/responses\/compact(?:\?|$)/.test(path)
}

/** The body of `/responses/compact` has the form of a request for an answer. */
export function compactRequest(request: ClientRequest): FaceRequest | undefined {
  if (!isCompactPath(request.path)) return undefined
  return readRequest({ ...request, path: request.path.replace('/responses/compact', '/responses') })
}

function triggered(read: FaceRequest): CompactionAsk | undefined {
  const item = read.messages.at(-1)
  if (item === undefined || fields(messageValue(read, item))?.type !== 'compaction_trigger') return undefined
  return {
    client: 'codex',
    conversation: { ...read, messages: read.messages.slice(0, -1) },
    form: 'item',
    edits: (directive) => [{ start: item.start, end: item.end, text: userItem(directive) }],
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
  }
}

function userItem(text: string): string {
  return JSON.stringify({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
}

/**
 * Claude Code sends its own prefix, with the directive as one more text block of the last message. Seen on 2.1.325, by
 * `/compact` and by itself: "CRITICAL: Respond with TEXT ONLY. … Your task is to create a detailed summary of the
 * conversation so far, …". It asks a second time if the answer has no `<summary>`, and cuts `<analysis>` out of it.
 */
function claudeCodeCompaction(read: FaceRequest): CompactionAsk | undefined {
  const last = read.face === 'anthropic' ? lastTextOf(read) : undefined
  if (last === undefined || !CLAUDE_DIRECTIVE.test(last.text)) return undefined
  return {
    ...directiveAsk('claude', last),
    focus: CLAUDE_FOCUS.exec(last.text)?.[1]?.trim(),
    dressed: (record) => inTags('summary', record, ['analysis']),
  }
}

const CLAUDE_DIRECTIVE =
  /^(?:CRITICAL: Respond with TEXT ONLY[\s\S]{0,1000}?)?Your task is to create a detailed summary of the conversation so far/
const CLAUDE_FOCUS = /\nAdditional Instructions:\n([\s\S]*?)(?:\n\nREMINDER: |$)/

/**
 * Gemini CLI sends the older part of the conversation with a system prompt of its own and without tools, and asks twice:
 * for a snapshot, and whether the snapshot is complete. Seen on 0.61.0.
 */
function geminiCompaction(read: FaceRequest): CompactionAsk | undefined {
  const last = isSnapshotRequest(read) ? lastTextOf(read) : undefined
  if (last?.text.includes('generate the updated <state_snapshot>') !== true) return undefined
  // The client's system prompt demands its own form of a summary.
  const system = valueRange(read.body, 0, ['systemInstruction', 'parts'])
  const systemEdit = system && { ...system, text: JSON.stringify([{ text: PITH_PROMPTS.system }]) }
  return snapshotAsk('gemini', last, systemEdit)
}

/** True for the second question of Gemini CLI, whether a snapshot is complete: the snapshot is the message before it. */
export function asksForCheck(read: FaceRequest): boolean {
  const last = isSnapshotRequest(read) ? lastTextOf(read) : undefined
  return last?.text.startsWith('Critically evaluate the <state_snapshot>') === true
}

function isSnapshotRequest(read: FaceRequest): boolean {
  return read.face === 'gemini' && read.fixed.system?.includes('structured XML <state_snapshot>') === true
}

/**
 * If the provider caches prefixes, qwen-code sends its own prefix with a directive as the last message. Otherwise it sends a
 * request without tools whose system prompt is the directive. Seen on 0.24.4. It accepts only an answer with a closed
 * `<state_snapshot>`.
 */
function qwenCompaction(read: FaceRequest): CompactionAsk | undefined {
  const last = read.face === 'openai-chat' ? lastTextOf(read) : undefined
  if (last === undefined) return undefined
  const bySystem = read.fixed.system?.startsWith(QWEN_DIRECTIVE) === true && last.text.includes('<state_snapshot>')
  if (!bySystem && !last.text.startsWith(QWEN_DIRECTIVE)) return undefined
  return snapshotAsk('qwen', last, bySystem ? qwenSystemEdit(read) : undefined)
}

const QWEN_DIRECTIVE =
  'You are the component that summarizes a conversation when its context window is about to overflow.'

/** The client's system prompt demands its own form of a summary. */
function qwenSystemEdit(read: FaceRequest): ByteEdit | undefined {
  const [first] = read.messages
  const value = first === undefined ? undefined : fields(messageValue(read, first))
  if (first === undefined || value?.role !== 'system') return undefined
  const isText = text(value.content) !== undefined
  if (!isText && objects(value.content).length !== 1) return undefined
  const range = valueRange(read.body, first.start, isText ? ['content'] : ['content', 0, 'text'])
  return range && { ...range, text: JSON.stringify(PITH_PROMPTS.system) }
}

/** opencode quotes the older part of the conversation as one text, in a separate request without tools. Seen on 1.18.18. */
function opencodeCompaction(read: FaceRequest): CompactionAsk | undefined {
  const last = lastTextOf(read)
  const isAsked = read.fixed.system?.startsWith('You are a context summarization agent.') === true
  if (!isAsked || last?.text.startsWith('Here is the conversation so far:') !== true) return undefined
  return transcriptAsk('opencode', last, ['</conversation>', '</prior-summary>'])
}

/**
 * pi quotes the older part of the conversation as one text, in a separate request without tools. Seen on 0.87.1. When it
 * splits a turn, it asks for that turn in a second request and puts the second answer below the first one. A session of one
 * turn has only the second request.
 */
function piCompaction(read: FaceRequest): CompactionAsk | undefined {
  const last = lastTextOf(read)
  if (last === undefined || !read.fixed.system?.startsWith('You are a context summarization assistant.'))
    return undefined
  const { text } = last
  if (text.startsWith(SPLIT_TURN))
    return {
      ...transcriptAsk('pi', last, ['\n\n# Instructions\n']),
      begins: (words) => isFirst(text.slice(SPLIT_TURN.length), words),
    }
  if (!text.startsWith('<conversation>')) return undefined
  const focus = /\nAdditional focus: ([\s\S]*)$/.exec(text)?.[1]?.trim()
  return { ...transcriptAsk('pi', last, ['</conversation>', '</previous-summary>']), focus }
}

const SPLIT_TURN = '# Conversation\n[User]: '

/** True when the words are the whole first message, and not the beginning of a longer one. */
function isFirst(transcript: string, words: string): boolean {
  return words !== '' && transcript.startsWith(words) && /^\s*\n\n\[/.test(transcript.slice(words.length))
}

/** The ask of a client that sends its conversation with a directive as the last text. */
function directiveAsk(client: ClientName, { rest, replacedBy }: LastText): CompactionAsk {
  return { client, conversation: rest, form: 'text', edits: (directive) => [replacedBy(directive)] }
}

/** The same for a client that wants a `<state_snapshot>` and may have asked for it in its system prompt, too. */
function snapshotAsk(client: ClientName, last: LastText, systemEdit: ByteEdit | undefined): CompactionAsk {
  return {
    ...directiveAsk(client, last),
    edits: (directive) => [...(systemEdit === undefined ? [] : [systemEdit]), last.replacedBy(directive)],
    dressed: (record) => inTags('state_snapshot', record, ['analysis', 'scratchpad']),
  }
}

/**
 * The ask of a client that quotes its conversation as one text in tags. Our directive replaces everything after the tags of
 * the conversation and of the summary before it.
 */
function transcriptAsk(client: ClientName, { text, replacedBy }: LastText, closings: readonly string[]): CompactionAsk {
  const end = Math.max(...closings.map((tag) => text.lastIndexOf(tag) + (text.includes(tag) ? tag.length : 0)))
  return { client, form: 'text', edits: (directive) => [replacedBy(`${text.slice(0, end)}\n\n${directive}`)] }
}

/** A record in the tags that a client looks for. Tags of these names inside the record get a space, so that they cannot end it or be cut out. */
function inTags(tag: string, record: string, cutOut: readonly string[]): string {
  const names = [tag, ...cutOut].join('|')
  const inner = record.replace(new RegExp(`<(/?(?:${names})>)`, 'g'), '< $1')
  return `<${tag}>\n${inner}\n</${tag}>`
}
