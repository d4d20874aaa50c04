import { redactMessage } from '../../../src/engine/context/view/rewrite-message.ts'
import type { EntryDraft, IndexDelta } from '../../../src/model/types.ts'
import { assistant, user } from '../../support/messages.ts'

export function compaction(fields: Partial<Extract<EntryDraft, { type: 'compaction' }>> = {}): EntryDraft {
  return {
    type: 'compaction',
    from: 1,
    upTo: 1,
    keep: [],
    summary: 'what happened',
    frame: 'pith',
    indexDelta: {},
    messages: 1,
    reason: 'manual',
    rung: 'cold',
    tokensBefore: 100,
    tokensAfter: 50,
    ...fields,
  }
}

export const mask: EntryDraft = { type: 'mask', targets: [1], tokensBefore: 10, tokensAfter: 5 }

const everyFact: IndexDelta = {
  files: [{ path: 'src/ä.ts', access: 'modified', seq: 2, modified: 2 }],
  users: [{ seq: 1, text: 'say 你好', length: 9_000 }],
  constraints: [{ text: 'never touch main', seq: 1 }],
  commands: [{ command: 'npm test', seq: 2, runs: 3, ok: false, exit: 1 }],
  errors: [{ text: 'TypeError: x', seq: 3, command: 'npm test' }],
  todos: [
    { kind: 'list', seq: 2, items: [{ text: 'one', status: 'pending' }] },
    { kind: 'change', seq: 3, id: '1', text: 'two', status: 'done' },
  ],
  identifiers: [{ kind: 'port', text: ':8080', seq: 1 }],
}

const usage = { inputTokens: 9, outputTokens: 8, cacheReadTokens: 7, cacheWriteTokens: 6, reasoningTokens: 5 }

/** One draft of each kind, with every optional field. */
export const everyDraft: readonly EntryDraft[] = [
  { type: 'message', message: assistant('hello'), usage, model: 'some/model' },
  compaction({
    keep: [1],
    parts: [
      { from: [], text: '<record>' },
      { section: 'Now', heading: 'Said', from: [1, 2], text: '- #1 say 你好', narrative: true },
      { section: 'Now', from: [], text: '' },
    ],
    indexDelta: everyFact,
    squeezes: [{ target: 1, head: 2, tail: 3 }],
    flagged: ['inventedName'],
    model: 'some/model',
    usage,
    cost: 0.1 + 0.2,
    focus: 'the tests',
  }),
  mask,
  {
    type: 'squeeze',
    squeezes: [
      { target: 1, head: 2, tail: 3 },
      { target: 2, head: 4, tail: 5, pieces: [{ at: 1, head: 4, tail: 5 }] },
    ],
  },
  { type: 'edit', of: 2, summary: 'rewritten' },
  { type: 'undo', of: 5 },
  {
    type: 'repair',
    changes: [
      { op: 'drop-message', seq: 1, why: 'empty' },
      { op: 'drop-part', seq: 1, part: 0, why: 'empty' },
      { op: 'add-result', seq: 1, toolCallId: 'c', toolName: 'read', why: 'missing' },
      { op: 'move-result', from: 1, part: 0, seq: 2, why: 'late' },
      { op: 'rename-call', seq: 1, part: 0, toolCallId: 'd', why: 'twice' },
    ],
  },
  { type: 'redact', target: 1 },
  { type: 'pin', target: 1, on: true },
  { type: 'pin', target: 1, on: true, back: [1] },
  { type: 'attempt', outcome: 'failed', reason: 'no answer', model: 'some/model', usage, cost: 1e-7 },
  { type: 'void', reason: 'the answer was empty', model: 'some/model', usage },
  {
    type: 'settings',
    model: 'some/model',
    policy: { preset: 'kit', keepTokens: 5 },
    title: 'a title',
    reasoning: { model: 'some/model', level: 'high' },
  },
  { type: 'todo', items: [{ text: 'one', status: 'in-progress' }] },
  {
    type: 'checkpoint',
    toolCallId: 'c',
    rewind: { to: 1, forked: 'another' },
    files: [
      { path: 'src/ä.ts', before: 'a1', after: null, mode: 0o644 },
      { path: 'big.bin', unkept: 'it is too large' },
    ],
  },
]

export const changing: ReadonlySet<EntryDraft['type']> = new Set([
  'compaction',
  'mask',
  'squeeze',
  'edit',
  'undo',
  'repair',
  'redact',
])

export const REDACTED = redactMessage(user('anything')).content
