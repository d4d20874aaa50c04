import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../../src/engine/context/view/log.ts'
import {
  mostReplacedMessages,
  rangesLeft,
  replacedAt,
  replacedBy,
  replacedMessageCount,
  withoutTakenOut,
} from '../../../../src/engine/context/view/replaced-range.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { readEntry } from '../../../../src/model/entry.ts'
import { Items } from '../../../../src/model/items.ts'
import { type Entry, type Item, textOf } from '../../../../src/model/types.ts'
import { compaction } from '../../../support/compaction.ts'
import { assistant, call, result, turns, user } from '../../../support/messages.ts'

const log = logOf([user('a'), call('x'), result('x'), user('b'), assistant('c'), assistant('d')])
const said = (messages: number) => turns(messages / 2, 400).map((message) => ({ type: 'message' as const, message }))

function compactionIn(entries: readonly Entry[]) {
  const entry = entries.findLast((one) => one.type === 'compaction')
  if (entry === undefined) throw new Error('no compaction')
  return entry
}

/** The messages of the log up to the end of a compaction that stay after its record. */
function behind(log: readonly Entry[], { upTo, keep }: ReturnType<typeof compactionIn>): number {
  return log.filter(({ type, seq }) => type === 'message' && seq <= upTo && !keep.includes(seq)).length
}

describe('the range of a compaction', () => {
  it('takes out what has its place there, except what it keeps and what stays besides', () => {
    const range = { from: 2, upTo: 5, keep: [3] }
    const isOut = replacedBy(range, (seq) => seq === 4)
    expect([1, 2, 3, 4, 5, 6].filter((seq) => isOut(seq))).toEqual([2, 5])
    expect(isOut(9, 5)).toBe(true)
    expect(isOut(2, 9)).toBe(false)
  })

  it('leaves the same messages in memory as opening the session reads', () => {
    const entry = compactionIn(appended(log, [compaction({ from: 2, upTo: 5, keep: [4] })]))
    const inMemory = withoutTakenOut(log, entry).map(({ seq }) => seq)
    const ranges = rangesLeft([entry], new Map())
    expect(ranges).toEqual([{ from: 0, upTo: 1 }, { seqs: [4] }, { from: 6 }])
    const read = log.filter(({ seq }) =>
      ranges.some(({ from = 0, upTo = 99, seqs }) => seqs?.includes(seq) ?? (from <= seq && seq <= upTo)),
    )
    expect(inMemory).toEqual(read.map(({ seq }) => seq))
  })

  it('begins at a cut with the messages that an earlier record replaced, and keeps those in the tail', () => {
    const view = viewOf(appended(log, [compaction({ from: 1, upTo: 4, keep: [4] })]))
    expect(view.items.slice().map(({ seq }) => seq)).toEqual([7, 4, 5, 6])
    expect(replacedAt(view, 1, []).range).toEqual({ from: 1, upTo: 4, keep: [4] })
    const kept = view.items.slice(1, 2)
    const { range, items } = replacedAt(view, 3, kept)
    expect(range).toEqual({ from: 1, upTo: 5, keep: [4] })
    expect(items.map(({ seq }) => seq)).toEqual([7, 5])
  })

  it('keeps what the cut keeps and the messages in the tail', () => {
    const view = viewOf(appended(log, [compaction({ from: 1, upTo: 5, keep: [4, 5] })]))
    expect(view.items.slice().map(({ seq }) => seq)).toEqual([7, 4, 5, 6])
    expect(replacedAt(view, 2, view.items.slice(1, 2)).range).toEqual({ from: 1, upTo: 5, keep: [4, 5] })
  })
})

describe('the messages that a record replaces', () => {
  it('are those of the log, however often they were compacted', async () => {
    const first = await compact({ log: logOf(turns(30, 400)) })
    const once = [...logOf(turns(30, 400)), ...first.entries]
    const longer = appended(once, said(60))
    const second = await compact({ log: longer })
    const entry = compactionIn(second.entries)
    const all = behind(longer, entry)
    expect(textOf(second.messages[0] ?? user(''))).toContain(`(${all} messages) was compacted`)
    expect(second.view.items.at(0)).toMatchObject({ standsFor: all })
    // The earlier record is one message of the view that this compaction took out.
    expect(second.messagesRemoved).toBe(all - first.messagesRemoved + 1)
    expect(entry.messages).toBe(second.messagesRemoved)
    expect(mostReplacedMessages(second.view)).toBeGreaterThanOrEqual(all)
  })

  it('count one once that came back and was compacted again', () => {
    const entries = appended(log, [
      compaction({ from: 1, upTo: 4, messages: 4 }),
      { type: 'pin', target: 1, on: true, back: [1] },
      { type: 'pin', target: 1, on: false },
    ])
    const view = viewOf(entries)
    expect(view.items.slice().map(({ seq }) => seq)).toEqual([7, 1, 5, 6])
    expect(replacedMessageCount(3, view.items.slice(0, 3), view, entries)).toBe(5)
  })

  it('count one once that came back, was kept by the next compaction and taken out by the one after it', async () => {
    const first = await compact({ log: logOf(turns(30, 400)) })
    const back = appended(
      [...logOf(turns(30, 400)), ...first.entries],
      [{ type: 'pin', target: 5, on: true, back: [5] }, ...said(60)],
    )
    const second = await compact({ log: back })
    expect(compactionIn(second.entries).keep).toContain(5)
    expect(second.view.items.at(0)).toMatchObject({ standsFor: behind(back, compactionIn(second.entries)) })
    const unpinned = appended([...back, ...second.entries], [{ type: 'pin', target: 5, on: false }, ...said(60)])
    const third = await compact({ log: unpinned })
    expect(compactionIn(third.entries).keep).not.toContain(5)
    expect(third.view.items.at(0)).toMatchObject({ standsFor: behind(unpinned, compactionIn(third.entries)) })
  })

  it('are what an entry of an earlier version took out, which says no more', () => {
    const entry = compactionIn(appended(log, [compaction({ from: 1, upTo: 4, messages: 4 })]))
    const stored = readEntry(JSON.parse(JSON.stringify(entry)), 'entry #7')
    expect(viewOf([...log, stored]).items.at(0)).toMatchObject({ standsFor: 4 })
  })

  it('are known after one more message without a look at all the others', () => {
    const looked = new Set<number>()
    const seen = (item: Item, key: string | symbol) => {
      looked.add(item.seq)
      return Reflect.get(item, key)
    }
    const noting = (item: Item) => new Proxy<Item>(item, { get: seen })
    const items = Items.of(
      viewOf(logOf(turns(500)))
        .items.slice()
        .map(noting),
    )
    const [one] = viewOf(logOf(turns(1))).items.slice()
    if (one === undefined) throw new Error('no items')
    mostReplacedMessages({ items })
    looked.clear()
    expect(mostReplacedMessages({ items: items.append(noting({ ...one, seq: 2_000 })) })).toBe(items.length + 1)
    expect([...looked]).toEqual([2_000])
  })
})
