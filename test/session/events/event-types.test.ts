import { describe, expect, it } from 'vitest'
import type { Entry, EntryDraft } from '../../../src/model/types.ts'
import { eventOf } from '../../../src/session/events/event-types.ts'
import { compaction, mask } from '../../store/contract/drafts.ts'
import { user } from '../../support/messages.ts'

const eventFor = (draft: EntryDraft, undoes?: Entry['type']) =>
  eventOf('s', { ...draft, id: 'e7', seq: 7, at: 70 } as Entry, undoes)
const COMMON = { session: 's', seq: 7, at: 70 }
const usage = { inputTokens: 9, outputTokens: 8 }

describe('the event of an entry', () => {
  it.each<[EntryDraft, object]>([
    [
      { type: 'message', message: user('x'), model: 'a/b', usage },
      { type: 'message', message: user('x'), model: 'a/b', usage },
    ],
    [
      { type: 'message', message: user('x') },
      { type: 'message', message: user('x') },
    ],
    [
      compaction({ model: 'a/b', cost: 1 }),
      {
        type: 'compacted',
        ...{ reason: 'manual', rung: 'cold', messages: 1, tokensBefore: 100, tokensAfter: 50, tokensSaved: 50 },
        ...{ model: 'a/b', cost: 1 },
      },
    ],
    [mask, { type: 'masked', targets: [1], tokensBefore: 10, tokensAfter: 5, tokensSaved: 5 }],
    [
      { type: 'attempt', outcome: 'failed', reason: 'no', model: 'a/b', usage, cost: 1 },
      { type: 'compaction-failed', reason: 'no', model: 'a/b', usage, cost: 1 },
    ],
    [
      { type: 'void', reason: 'empty', model: 'a/b', usage },
      { type: 'answer-void', reason: 'empty', model: 'a/b', usage },
    ],
    [
      { type: 'squeeze', squeezes: [{ target: 1, head: 2, tail: 3 }] },
      { type: 'squeezed', squeezes: [{ target: 1, head: 2, tail: 3 }] },
    ],
    [
      { type: 'edit', of: 2, summary: 'new' },
      { type: 'edited', of: 2, summary: 'new' },
    ],
    [
      { type: 'redact', target: 1 },
      { type: 'redacted', target: 1 },
    ],
    [
      { type: 'pin', target: 1, on: true, back: [1] },
      { type: 'pinned', target: 1, back: [1] },
    ],
    [
      { type: 'pin', target: 1, on: false },
      { type: 'unpinned', target: 1 },
    ],
    [
      { type: 'settings', title: 'a title' },
      { type: 'settings', title: 'a title' },
    ],
    [
      { type: 'todo', items: [{ text: 'one', status: 'pending' }] },
      { type: 'todos', items: [{ text: 'one', status: 'pending' }] },
    ],
    [
      { type: 'checkpoint', files: [{ path: 'a', before: null }], rewind: { to: 1 } },
      { type: 'files-kept', files: [{ path: 'a', before: null }], rewind: { to: 1 } },
    ],
    [
      { type: 'repair', changes: [{ op: 'drop-message', seq: 1, why: 'empty' }] },
      { type: 'repaired', changes: [{ op: 'drop-message', seq: 1, why: 'empty' }] },
    ],
  ])('%o', (draft, event) => {
    expect(eventFor(draft)).toEqual({ ...COMMON, ...event })
  })

  it('that takes an undo back says so', () => {
    const undo: EntryDraft = { type: 'undo', of: 5 }
    expect(eventFor(undo, 'compaction')).toEqual({ ...COMMON, type: 'undone', of: 5 })
    expect(eventFor(undo, 'undo')).toEqual({ ...COMMON, type: 'redone', of: 5 })
    expect(eventFor(undo)).toEqual({ ...COMMON, type: 'undone', of: 5 })
  })
})
