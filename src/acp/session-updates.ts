import { isAbsolute, join } from 'node:path'
import type {
  PermissionOption,
  PlanEntry,
  SessionUpdate,
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
  ToolKind,
} from '@agentclientprotocol/sdk'
import { count, counted } from '../engine/report/numbers.ts'
import { previewLines } from '../engine/report/outcome.ts'
import { callsOf, type Entry, type Todo, type ToolCallPart } from '../model/types.ts'
import type { Status } from '../tokens/status.ts'
import type { Answer, Question } from '../tui/port/port.ts'
import type { Block, CompactionBlock, ToolBlock } from '../tui/state/state.ts'

/** The updates that an editor can show beside messages and calls. */
export type EditorCan = { readonly compaction: boolean; readonly notices: boolean }

export function messageUpdate(kind: 'user' | 'agent' | 'thought', text: string): SessionUpdate {
  const content = { type: 'text' as const, text }
  if (kind === 'user') return { sessionUpdate: 'user_message_chunk', content }
  return { sessionUpdate: kind === 'agent' ? 'agent_message_chunk' : 'agent_thought_chunk', content }
}

/** The one number of the context. An editor draws a share, so there is none without a window. */
export function usageUpdate({ tokens, window }: Status, cost: number | undefined): SessionUpdate[] {
  if (window === undefined) return []
  const money = cost === undefined ? {} : { cost: { amount: cost, currency: 'USD' } }
  return [{ sessionUpdate: 'usage_update', used: tokens, size: window, ...money }]
}

/** A line for the user. An editor without notices gets it as a message. */
export function noticeUpdate(text: string, isError: boolean, can: EditorCan): SessionUpdate {
  if (!can.notices) return messageUpdate('agent', `${text}\n\n`)
  return { sessionUpdate: 'notice', severity: isError ? 'error' : 'info', title: text }
}

const STATUS: Readonly<Record<Todo['status'], PlanEntry['status']>> = {
  pending: 'pending',
  'in-progress': 'in_progress',
  done: 'completed',
  cancelled: 'completed',
}

export function planUpdate(todos: readonly Todo[]): SessionUpdate {
  const entries = todos.map(
    ({ text, status }): PlanEntry => ({
      content: status === 'cancelled' ? `${text} (cancelled)` : text,
      priority: 'medium',
      status: STATUS[status],
    }),
  )
  return { sessionUpdate: 'plan', entries }
}

/** The blocks of an opened session, as an editor shows a conversation that it loads. */
export function blockUpdates(block: Block, calls: Calls, workspace: string, can: EditorCan): SessionUpdate[] {
  if (block.kind === 'user') return [messageUpdate('user', block.text)]
  if (block.kind === 'assistant') return [messageUpdate('agent', `${block.text}\n\n`)]
  if (block.kind === 'reasoning') return [messageUpdate('thought', block.text)]
  if (block.kind === 'tool')
    return [{ sessionUpdate: 'tool_call', ...toolUpdate(block, calls.get(block.toolCallId), workspace) }]
  if (block.kind === 'compaction') {
    const [id, done] = [`compaction-${block.seq}`, doneCompaction(block)]
    return [can.compaction ? compactionUpdate(id, done) : { sessionUpdate: 'tool_call', ...compactionCall(id, done) }]
  }
  return []
}

/** The input of a call. `before`: the text of its file before it ran, if the call was seen then. */
export type CallFacts = { readonly input: unknown; readonly before?: string | undefined }

/** Calls by their ids. */
export type Calls = ReadonlyMap<string, CallFacts>

export function callsOfLog(entries: readonly Entry[]): Map<string, CallFacts> {
  return new Map(entries.flatMap(callsIn).map(({ toolCallId, input }) => [toolCallId, { input }]))
}

export function callsIn(entry: Entry): readonly ToolCallPart[] {
  return entry.type === 'message' ? callsOf(entry.message) : []
}

const STATES: Readonly<Record<ToolBlock['state'], ToolCallStatus>> = {
  running: 'in_progress',
  open: 'failed',
  done: 'completed',
  failed: 'failed',
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  ls: 'read',
  grep: 'search',
  find: 'search',
  recall: 'search',
  edit: 'edit',
  write: 'edit',
  bash: 'execute',
  job: 'execute',
  todo: 'think',
  context: 'think',
  task: 'think',
}

/** A call in its current state: its title is what the terminal shows, its content the changes it makes or what came out of it. */
export function toolUpdate(block: ToolBlock, facts: CallFacts | undefined, workspace: string): ToolCall {
  const { toolCallId, name, target, wholeTarget, state, output } = block
  const input = facts?.input
  const changes = changesOf(name, facts, workspace)
  const isText = changes.length === 0 || state === 'failed'
  const locations = locationsOf(facts, workspace)
  return {
    toolCallId,
    name,
    title: target === '' ? name : `${name} ${wholeTarget ?? target}`,
    kind: KINDS[name] ?? 'other',
    status: STATES[state],
    content: isText ? outputContent(name, output) : changes,
    ...(locations.length > 0 && { locations }),
    ...(input !== undefined && { rawInput: input }),
  }
}

/** Reports of sub-agents are Markdown. Everything else is shown as it was printed. */
function outputContent(name: string, output: string): ToolCallContent[] {
  if (output === '') return []
  return [textContent(name === 'task' ? output : fenced(output))]
}

/** A text as a block of code, with a fence that is longer than any in it. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function changesOf(name: string, facts: CallFacts | undefined, workspace: string): ToolCallContent[] {
  const input = fieldsOf(facts?.input)
  if (typeof input.path !== 'string') return []
  const path = absolute(input.path, workspace)
  if (name === 'write' && typeof input.content === 'string') {
    return [{ type: 'diff', path, oldText: facts?.before ?? null, newText: input.content }]
  }
  if (name !== 'edit') return []
  return editsIn(input).map(({ oldText, newText }) => ({ type: 'diff', path, oldText, newText }))
}

function editsIn({ edits }: Fields): { readonly oldText: string; readonly newText: string }[] {
  if (!Array.isArray(edits)) return []
  return edits.flatMap((edit) => {
    const { oldText, newText } = fieldsOf(edit)
    return typeof oldText === 'string' && typeof newText === 'string' ? [{ oldText, newText }] : []
  })
}

/** The file of a call, with the line of each change, or the line from which it is read. */
function locationsOf(facts: CallFacts | undefined, workspace: string): ToolCallLocation[] {
  const input = fieldsOf(facts?.input)
  if (typeof input.path !== 'string') return []
  const path = absolute(input.path, workspace)
  const lines = editsIn(input).flatMap(({ oldText }) => lineOf(oldText, facts?.before))
  if (lines.length > 0) return lines.map((line) => ({ path, line }))
  return [{ path, ...(typeof input.offset === 'number' && { line: input.offset }) }]
}

function lineOf(part: string, text: string | undefined): number[] {
  const at = text === undefined || part === '' ? -1 : text.indexOf(part)
  return at === -1 || text === undefined ? [] : [text.slice(0, at).split('\n').length]
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** The file that a call is about to change, if it names one. */
export function changedFile({ toolName, input }: ToolCallPart, workspace: string): string | undefined {
  const { path } = fieldsOf(input)
  const isChange = toolName === 'edit' || toolName === 'write'
  return isChange && typeof path === 'string' ? absolute(path, workspace) : undefined
}

function absolute(path: string, workspace: string): string {
  return isAbsolute(path) ? path : join(workspace, path)
}

function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } }
}

/** The state of a compaction. Its text is the record, or why there is none. */
export type CompactionState = {
  readonly status: 'in_progress' | 'completed' | 'failed' | 'cancelled'
  readonly title: string
  readonly text?: string
}

/** A compaction that is done, with its record to read. */
export function doneCompaction({ tokensBefore, tokensAfter, messagesRemoved, summary }: CompactionBlock) {
  const title = `Compacted ${counted(messagesRemoved, 'message')}: ${count(tokensBefore)} → ${count(tokensAfter)} tokens`
  return { status: 'completed', title, text: summary } as const
}

/** A compaction for an editor that knows what that is. */
export function compactionUpdate(compactionId: string, { status, title, text }: CompactionState): SessionUpdate {
  const update = { sessionUpdate: 'compaction_update', compactionId, status } as const
  if (status === 'in_progress') return update
  if (status !== 'completed') return { ...update, error: text ?? title }
  return { ...update, summary: [{ type: 'text', text: `${title}\n\n${text}` }] }
}

/** A compaction as a call, for an editor that knows calls only. */
export function compactionCall(toolCallId: string, { status, title, text = '' }: CompactionState): ToolCall {
  return {
    toolCallId,
    title,
    kind: 'think',
    status: status === 'cancelled' ? 'failed' : status,
    content: text === '' ? [] : [textContent(text)],
  }
}

/** A question of the session as an editor asks it: what it is about, and the answer of each choice. */
export type AskedQuestion = {
  readonly title: string
  readonly content: readonly ToolCallContent[]
  readonly choices: readonly (PermissionOption & { readonly answer: Answer })[]
  /** If the user leaves without a choice. */
  readonly otherwise: Answer
}

export function askedQuestion(question: Question): AskedQuestion {
  if (question.kind === 'permission') return permission(question)
  if (question.kind === 'compaction') {
    return {
      title: 'Compact the conversation now?',
      content: [textContent(previewLines(question.preview).join('\n'))],
      choices: [
        choice('compact', 'Compact', 'allow_once', { kind: 'compact' }),
        choice('later', 'Later', 'reject_once', { kind: 'later' }),
        choice('off', 'Not in this session', 'reject_always', { kind: 'off' }),
      ],
      otherwise: { kind: 'later' },
    }
  }
  if (question.kind === 'plan') {
    return {
      title: 'The agent plans this. Accept it?',
      content: [textContent(question.steps.map((step, i) => `${i + 1}. ${step}`).join('\n'))],
      choices: [
        choice('accepted', 'Accept the plan, and begin', 'allow_once', { kind: 'accepted' }),
        choice('refused', 'Refuse, and stay in plan mode', 'reject_once', { kind: 'refused' }),
      ],
      otherwise: { kind: 'refused' },
    }
  }
  return {
    title: `Start the MCP servers that ${question.file} names?`,
    content: question.servers.map(({ name, lines }) => textContent([name, ...lines].join('\n'))),
    choices: [
      choice('trusted', 'Start them', 'allow_always', { kind: 'trusted' }),
      choice('refused', 'Never', 'reject_always', { kind: 'refused' }),
      choice('later', 'Not now', 'reject_once', { kind: 'later' }),
    ],
    otherwise: { kind: 'later' },
  }
}

const REFUSED: Answer = { kind: 'tell', text: '' }

function permission(question: Extract<Question, { kind: 'permission' }>): AskedQuestion {
  const { by, action, target, outside, note, rule, prefix, never, session, diff } = question
  const where = outside ? (action === 'command' ? ', outside of the sandbox' : ', outside of the workspace') : ''
  const allow = (id: 'session' | 'always' | 'prefix', name: string) => choice(id, name, 'allow_always', { kind: id })
  return {
    title: `${by === undefined ? '' : `${by}: `}${action} ${target}${where}`,
    content: [note, diff === undefined ? undefined : fenced(diff, 'diff')].flatMap((text) =>
      text === undefined ? [] : [textContent(text)],
    ),
    choices: [
      choice('once', 'Allow once', 'allow_once', { kind: 'once' }),
      ...(session === undefined
        ? []
        : [allow('session', session === 'edits' ? 'Allow all edits in this session' : 'Allow this in this session')]),
      ...(rule === undefined ? [] : [allow('always', `Always allow ${rule}`)]),
      ...(prefix === undefined ? [] : [allow('prefix', `Always allow ${prefix}`)]),
      choice('refused', 'Refuse', 'reject_once', REFUSED),
      ...(never === undefined ? [] : [choice('never', `Never allow ${never}`, 'reject_always', { kind: 'never' })]),
    ],
    otherwise: REFUSED,
  }
}

function choice(optionId: string, name: string, kind: PermissionOption['kind'], answer: Answer) {
  return { optionId, name, kind, answer }
}
