import { describe, expect, it } from 'vitest'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { repairDraft } from '../../../../src/engine/context/view/repair.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import type { Entry, EntryDraft, Message, RepairChange } from '../../../../src/model/types.ts'
import { full } from '../../../support/full.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const COUNT = full ? 40_000 : 15_000
const many = <T>(make: (i: number) => T) => Array.from({ length: COUNT }, (_, i) => make(i))
const steps = (i: number): Message =>
  [user('go'), call(`c${i}`), result(`c${i - 1}`), assistant('ok')][i % 4] as Message
const calls = many((i) => call(`c${i}`))

/** Linear time is far below this even on a slow machine; with time by the square it takes minutes. */
const DEADLINE_MS = 20_000

describe('a log with very many changes is folded in time', () => {
  it.each<[string, readonly Message[], (i: number) => EntryDraft, number]>([
    ['masks', many(steps), (i) => ({ type: 'mask', targets: [i + 1], tokensBefore: 1, tokensAfter: 1 }), COUNT],
    ['redactions', many(steps), (i) => ({ type: 'redact', target: i + 1 }), COUNT],
    ['dropped messages', many(steps), (i) => repair({ op: 'drop-message', seq: i + 1, why: 'test' }), 0],
    ['compactions, each of one message more', many(steps), (i) => compaction(i + 1), 1],
    ['compactions that keep a message', many(steps), (i) => compaction(i + 1, [1]), 2],
    [
      'compactions, every second one undone',
      many(steps),
      (i) => (i % 2 === 0 ? compaction(i + 1) : { type: 'undo', of: COUNT + i }),
      COUNT,
    ],
    ['added results', calls, (i) => addResult(i), COUNT * 2],
    [
      'added results and compactions in turn',
      calls,
      (i) => (i % 2 === 0 ? addResult(Math.min(COUNT - 1, i + 4)) : compaction(i + 1)),
      1,
    ],
  ])('%s', { timeout: DEADLINE_MS }, (_, messages, change, items) => {
    const changes = many(change).map((draft, i) => entry(draft, COUNT + 1 + i))
    expect(viewOf([...logOf(messages), ...changes]).items.length).toBe(items)
  })

  it('one repair of a message with very many calls', { timeout: DEADLINE_MS }, () => {
    const all: Message = { role: 'assistant', content: calls.flatMap(({ content }) => content as never) }
    const log = logOf([all, user('go on')])
    const draft = repairDraft(viewOf(log).items.slice()) as EntryDraft
    const items = viewOf([...log, entry(draft, 3)]).items.slice()
    const ids = items.flatMap(({ message }) => (message.role === 'tool' ? message.content : []))
    expect(ids.map((part) => 'toolCallId' in part && part.toolCallId)).toEqual(many((i) => `c${i}`))
  })
})

function entry(draft: EntryDraft, seq: number): Entry {
  return { ...draft, id: `e${seq}`, seq, at: 0 } as Entry
}

function repair(change: RepairChange): EntryDraft {
  return { type: 'repair', changes: [change] }
}

function addResult(i: number): EntryDraft {
  return repair({ op: 'add-result', seq: i + 1, toolCallId: `c${i}`, toolName: 'read', why: 'test' })
}

function compaction(upTo: number, keep: number[] = []): EntryDraft {
  return {
    type: 'compaction',
    from: 1,
    upTo,
    keep,
    summary: 'summary',
    frame: 'koda',
    indexDelta: {},
    messages: 1,
    reason: 'manual',
    rung: 'cold',
    tokensBefore: 1,
    tokensAfter: 1,
  }
}
