import { isAbsolute, join } from 'node:path'
import type {
  PermissionOption,
  PlanEntry,
  SessionUpdate,
  ToolCallContent,
  ToolCallStatus,
  ToolKind,
} from '@agentclientprotocol/sdk'
import { previewLines } from '../engine/report/outcome.ts'
import { callsOf, type Entry, type Todo, type ToolCallPart } from '../model/types.ts'
import type { Status } from '../tokens/status.ts'
import type { Answer, Question } from '../tui/port/port.ts'
import type { Block, CompactionBlock, ToolBlock } from '../tui/state/state.ts'

/** Parts beside the messages that an editor can show. */
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
export function blockUpdates(block: Block, calls: CallInputs, workspace: string, can: EditorCan): SessionUpdate[] {
  if (block.kind === 'user') return [messageUpdate('user', block.text)]
  if (block.kind === 'assistant') return [messageUpdate('agent', `${block.text}\n\n`)]
  if (block.kind === 'reasoning') return [messageUpdate('thought', block.text)]
  if (block.kind === 'tool') return [toolUpdate(block, calls.get(block.toolCallId), workspace)]
  if (block.kind === 'compaction') return [compactionUpdate(block, can)]
  return []
}

/** The inputs of calls by their ids. */
export type CallInputs = ReadonlyMap<string, unknown>

export function callInputs(entries: readonly Entry[]): Map<string, unknown> {
  return new Map(entries.flatMap(callsIn).map(({ toolCallId, input }) => [toolCallId, input]))
}

export function callsIn(entry: Entry): readonly ToolCallPart[] {
  return entry.type === 'message' ? callsOf(entry.message) : []
}

const STATES: Readonly<Record<ToolBlock['state'], ToolCallStatus>> = {
  running: 'in_progress',
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

/** A call in its present state. The title is the one of the terminal, the content its changes or its output. */
export function toolUpdate(block: ToolBlock, input: unknown, workspace: string): SessionUpdate {
  const { toolCallId, name, target, wholeTarget, state } = block
  const path = pathOf(input)
  const changes = changesOf(name, input, workspace)
  const isText = changes.length === 0 || state === 'failed'
  return {
    sessionUpdate: 'tool_call',
    toolCallId,
    name,
    title: target === '' ? name : `${name} ${wholeTarget ?? target}`,
    kind: KINDS[name] ?? 'other',
    status: STATES[state],
    content: isText && block.output !== '' ? [textContent(block.output)] : changes,
    ...(path !== undefined && { locations: [{ path: absolute(path, workspace) }] }),
    ...(input !== undefined && { rawInput: input }),
  }
}

function changesOf(name: string, input: unknown, workspace: string): ToolCallContent[] {
  const path = pathOf(input)
  if (path === undefined || typeof input !== 'object' || input === null) return []
  const file = absolute(path, workspace)
  if (name === 'write' && 'content' in input && typeof input.content === 'string') {
    return [{ type: 'diff', path: file, oldText: null, newText: input.content }]
  }
  if (name !== 'edit' || !('edits' in input) || !Array.isArray(input.edits)) return []
  return input.edits.flatMap((edit: { oldText?: unknown; newText?: unknown } | null): ToolCallContent[] => {
    if (typeof edit?.oldText !== 'string' || typeof edit.newText !== 'string') return []
    return [{ type: 'diff', path: file, oldText: edit.oldText, newText: edit.newText }]
  })
}

function pathOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('path' in input)) return undefined
  return typeof input.path === 'string' ? input.path : undefined
}

function absolute(path: string, workspace: string): string {
  return isAbsolute(path) ? path : join(workspace, path)
}

function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } }
}

/** A compaction that is done, with its record to read. An editor that does not know compactions shows it as a call. */
export function compactionUpdate(
  block: CompactionBlock,
  can: EditorCan,
  id = `compaction-${block.seq}`,
): SessionUpdate {
  const { tokensBefore, tokensAfter, messagesRemoved, summary } = block
  const done = `${messagesRemoved} messages, ${tokensBefore} → ${tokensAfter} tokens`
  if (can.compaction) {
    return {
      sessionUpdate: 'compaction_update',
      compactionId: id,
      status: 'completed',
      summary: [{ type: 'text', text: `${done}\n\n${summary}` }],
    }
  }
  return {
    sessionUpdate: 'tool_call',
    toolCallId: id,
    title: `Compacted ${done}`,
    kind: 'other',
    status: 'completed',
    content: summary === '' ? [] : [textContent(summary)],
  }
}

/** A question of the session as an editor asks it: what it is about, and the answer behind each choice. */
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
        choice('accepted', 'Accept the plan', 'allow_once', { kind: 'accepted' }),
        choice('refused', 'Refuse it', 'reject_once', { kind: 'refused' }),
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
  const { action, target, outside, rule, prefix, never, session, diff } = question
  const where = outside ? (action === 'command' ? ', outside of the sandbox' : ', outside of the workspace') : ''
  const allow = (id: 'session' | 'always' | 'prefix', name: string) => choice(id, name, 'allow_always', { kind: id })
  return {
    title: `${action} ${target}${where}`,
    content: diff === undefined ? [] : [textContent(`\`\`\`diff\n${diff}\n\`\`\``)],
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
