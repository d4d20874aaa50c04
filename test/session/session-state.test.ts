import { describe, expect, it } from 'vitest'
import { appended } from '../../src/engine/context/view/log.ts'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import type { EntryDraft } from '../../src/model/types.ts'
import { compactionsOf, stateOf, stateWithoutStatus } from '../../src/session/session-state.ts'
import { compaction } from '../support/compaction.ts'
import { call, result, user } from '../support/messages.ts'

const opened = (...drafts: readonly EntryDraft[]) => {
  const log = appended([], drafts)
  return { log, view: viewOf(log) }
}
const said = (message: Extract<EntryDraft, { type: 'message' }>['message']): EntryDraft => ({
  type: 'message',
  message,
})

describe('the state of a session', () => {
  it('has the to-do list as last written, by an entry or by a tool', () => {
    const todos = (...drafts: readonly EntryDraft[]) =>
      stateWithoutStatus(opened(said(user('Go.')), ...drafts)).todos.map(({ text, status }) => [text, status])
    const entry: EntryDraft = { type: 'todo', items: [{ text: 'of the entry', status: 'pending' }] }
    const tool = [
      said(call('t', 'todo', { todos: [{ text: 'of the tool', status: 'pending' }] })),
      said(result('t', 'ok', 'todo')),
    ]
    expect(todos()).toEqual([])
    expect(todos(entry)).toEqual([['of the entry', 'pending']])
    expect(todos(...tool)).toEqual([['of the tool', 'pending']])
    expect(todos(...tool, entry)).toEqual([['of the entry', 'pending']])
    expect(todos(entry, ...tool)).toEqual([['of the tool', 'pending']])
  })

  it('has the files of the messages in view and of the summaries before them', () => {
    const open = opened(
      said(user('Go.')),
      compaction({ upTo: 1, indexDelta: { files: [{ path: 'early.ts', access: 'modified', seq: 1, modified: 1 }] } }),
      said(call('a', 'read', { path: 'late.ts' })),
      said(result('a')),
    )
    const files = () => stateWithoutStatus(open).files.map(({ path, access }) => [path, access])
    expect(files().toSorted()).toEqual([
      ['early.ts', 'modified'],
      ['late.ts', 'read'],
    ])
    expect(files()).toEqual(files())
  })

  it('has its status beside all that', () => {
    const open = opened(said(user('Go.')), { type: 'attempt', outcome: 'failed', reason: 'no answer' })
    const { status, ...beside } = stateOf(open, { model: { contextWindow: 1_000 } })
    expect(beside).toEqual(stateWithoutStatus(open))
    expect(beside.breaker.failures).toBe(1)
    expect(status).toMatchObject({ tokens: expect.any(Number), window: 1_000 })
  })

  it('has every compaction with what it did, and says which were undone', () => {
    const fields = { model: 'test/model', cost: 0.5, tokensBefore: 100, tokensAfter: 50, messages: 1 }
    const { log } = opened(
      said(user('Go.')),
      compaction({ upTo: 1, ...fields }),
      compaction({ upTo: 1, reason: 'overflow', rung: 'digest' }),
      { type: 'undo', of: 3 },
    )
    expect(compactionsOf(log)).toMatchObject([
      { seq: 2, at: log[1]?.at, reason: 'manual', rung: 'cold', ...fields, undone: false },
      { seq: 3, reason: 'overflow', rung: 'digest', undone: true },
    ])
  })
})
