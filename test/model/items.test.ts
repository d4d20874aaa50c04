import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainlyValid } from '../../src/engine/context/view/validate.ts'
import { emptyIndex } from '../../src/model/facts/log-index.ts'
import { hasNativeCompaction, Items, isNativeCompaction } from '../../src/model/items.ts'
import {
  type AssistantPart,
  type Item,
  isUserMessage,
  type Message,
  partsOf,
  type ToolCallPart,
  type ToolPart,
} from '../../src/model/types.ts'
import { full } from '../support/full.ts'
import { assistant, call, result, user } from '../support/messages.ts'

const itemOf = (message: Message, seq = 1): Item => ({ kind: 'message', seq, place: seq, message, pinned: false })
const itemsOf = (...messages: Message[]) => Items.of(messages.map((message, i) => itemOf(message, i + 1)))
const every = <T>(items: Items, total: (count: number) => T) =>
  Array.from({ length: items.length + 1 }, (_, n) => total(n))
const callPart = (toolCallId: string, more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read',
  input: {},
  ...more,
})
const calls = (...ids: string[]): Message => ({ role: 'assistant', content: ids.map((id) => callPart(id)) })

describe('the calls without a result', () => {
  const totals = (...messages: Message[]) => {
    const items = itemsOf(...messages)
    return every(items, (count) => items.openCalls(count))
  }

  it('are open until their results', () => {
    expect(totals(user('a'), call('x'), assistant('b'), result('x'), user('c'))).toEqual([0, 0, 1, 1, 0, 0])
  })

  it('are open one by one if they are parallel, whichever result comes first', () => {
    expect(totals(calls('x', 'y', 'z'), result('x'), result('y'), result('z'))).toEqual([0, 3, 2, 1, 0])
    expect(totals(calls('x', 'y', 'z'), result('z'), result('y'), result('x'))).toEqual([0, 3, 2, 1, 0])
  })

  it('are open once if they are made twice', () => {
    expect(totals(calls('x', 'x'), result('x'))).toEqual([0, 1, 0])
    expect(totals(calls('x', 'y'), result('x'), calls('y', 'z'), result('y'), result('z'))).toEqual([0, 2, 1, 2, 1, 0])
  })

  it('are not changed by a result without a call', () => {
    expect(totals(result('x'), call('y'), result('x'), result('y'))).toEqual([0, 0, 1, 1, 0])
  })

  it('have none that the provider answers, and none with its result beside it', () => {
    expect(totals({ role: 'assistant', content: [callPart('x', { providerExecuted: true })] })).toEqual([0, 0])
    const both: Message = {
      role: 'assistant',
      content: [
        callPart('x'),
        { type: 'tool-result', toolCallId: 'x', toolName: 'read', output: { type: 'text', value: 'ok' } },
      ],
    }
    expect(totals(both)).toEqual([0, 0])
  })
})

describe('the last message of the user', () => {
  const items = itemsOf(assistant('a'), user('b'), assistant('c'), user('d'), assistant('e'))

  it('is searched among the first items', () => {
    expect(every(items, (count) => items.lastUser(count))).toEqual([-1, -1, 1, 1, 3, 3])
  })

  it('does not exist beyond the list', () => {
    expect(items.lastUser(6)).toBe(-1)
  })
})

it('what the model has not answered can be asked for as it was when fewer items were there', () => {
  const items = itemsOf(user('a'), assistant('b'), user('c'), assistant('d'))
  expect(every(items, (count) => items.unread(count))).toEqual([0, 0, 2, 2, 4])
})

describe('a list of items', () => {
  it('is not changed by an append, and does not see what was appended after it', () => {
    const old = itemsOf(user('a'), assistant('b'))
    const longer = old.append(itemOf(user('c'), 3)).append(itemOf(user('d'), 4))
    expect(old.length).toBe(2)
    expect([old.at(1)?.seq, old.at(2), old.at(-1)]).toEqual([2, undefined, undefined])
    expect([old.slice(), old.slice(1, 4), old.slice(-1), old.slice(0, -1)].map(seqs)).toEqual([[1, 2], [2], [2], [1]])
    expect(seqs([...old])).toEqual([1, 2])
    expect(seqs([...longer])).toEqual([1, 2, 3, 4])
  })

  it('does not change with the array that it was made of', () => {
    const source = [itemOf(user('a'))]
    const items = Items.of(source)
    source.push(itemOf(user('b')))
    expect(items.length).toBe(1)
  })

  it('knows what was appended to another one, and says nothing about a list with another history', () => {
    const old = itemsOf(user('a'))
    const longer = old.append(itemOf(assistant('b'), 2)).append(itemOf(user('c'), 3))
    const branch = old.append(itemOf(user('d'), 4))
    expect(seqs(longer.behind(old) ?? [])).toEqual([2, 3])
    expect(longer.behind(longer)).toEqual([])
    expect(old.behind(longer)).toBeUndefined()
    expect(branch.behind(longer)).toBeUndefined()
    expect(longer.sharesWith(branch)).toBe(false)
    expect(longer.sharesWith(old)).toBe(true)
    expect(itemsOf(user('a')).behind(old)).toBeUndefined()
  })

  it('has the totals of its own items, however the appends branched', () => {
    const seen = { valid: 0, invalid: 0, pinned: 0, fenced: 0, hidden: 0, open: 0, covered: 0 }
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), anyItem), { maxLength: 14 }), (appends) => {
        const lists: { items: Items; list: Item[] }[] = [{ items: Items.of(), list: [] }]
        for (const [pick, item] of appends) {
          // Most often the newest continues.
          const from = lists.at(-1 - (pick % 4 === 0 ? pick % lists.length : 0))
          if (from === undefined) continue
          lists.push({ items: from.items.append(item), list: [...from.list, item] })
        }
        for (const { items, list } of lists) {
          expect(items.slice()).toEqual(list)
          const totals = totalsOf(items)
          expect(totals).toEqual(naiveTotals(list))
          expect(totalsOf(Items.of(list))).toEqual(totals)
          seen[items.isPlainlyValid ? 'valid' : 'invalid']++
          if (items.hasPinned) seen.pinned++
          if (items.fenced > 0) seen.fenced++
          if (items.hidden() > 0) seen.hidden++
          if (items.openCalls() > 0) seen.open++
          if (items.standsFor > 0) seen.covered++
        }
      }),
      { numRuns: full ? 5_000 : 200 },
    )
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(20)
  })
})

const seqs = (items: readonly Item[]) => items.map(({ seq }) => seq)

const id = fc.constantFrom('a', 'b', 'c')
const resultPart: fc.Arbitrary<ToolPart> = id.map((toolCallId) => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'read',
  output: { type: 'text', value: 'ok' },
}))
const nativeText: AssistantPart = {
  type: 'text',
  text: 'compacted',
  providerOptions: { anthropic: { type: 'compaction' } },
}
const nativeItem: AssistantPart = { type: 'custom', kind: 'openai.compaction', providerOptions: {} }
const part: fc.Arbitrary<AssistantPart> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(id, fc.boolean()).map(([one, hosted]) => hostedCall(one, hosted)) },
  { weight: 3, arbitrary: fc.constant<AssistantPart>({ type: 'text', text: 'said' }) },
  { weight: 1, arbitrary: resultPart as fc.Arbitrary<AssistantPart> },
  { weight: 1, arbitrary: fc.constantFrom(nativeText, nativeItem) },
)
/** Few ids and few parts: calls meet their results by chance. */
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.constantFrom('asked', 'asked', ' ').map((content): Message => ({ role: 'user', content })),
  fc.constant<Message>(assistant('said')),
  fc.array(part, { maxLength: 3 }).map((content): Message => ({ role: 'assistant', content })),
  fc.array(resultPart, { minLength: 1, maxLength: 2 }).map((content): Message => ({ role: 'tool', content })),
  fc.array(resultPart, { minLength: 1, maxLength: 2 }).map((content): Message => ({ role: 'tool', content })),
)
const place = fc.nat({ max: 12 })
const anyItem: fc.Arbitrary<Item> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(place, message, fc.nat({ max: 9 }))
      .map(([seq, said, pin]): Item => ({ ...itemOf(said, seq), place: seq, pinned: pin === 0 }) as Item),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(place, place).map(
      ([seq, upTo]): Item => ({
        kind: 'summary',
        seq,
        place: upTo,
        from: 1,
        upTo,
        standsFor: upTo + 1,
        message: user('the record'),
        text: 'the record',
        written: true,
        frame: 'pith',
        index: emptyIndex,
        pinned: false,
      }),
    ),
  },
)

function hostedCall(toolCallId: string, hosted: boolean): AssistantPart {
  return hosted ? callPart(toolCallId, { providerExecuted: true }) : callPart(toolCallId)
}

function totalsOf(items: Items) {
  const { isPlainlyValid, hasPinned, standsFor, fenced } = items
  return {
    ...{ isPlainlyValid, hasPinned, standsFor, fenced },
    users: every(items, (count) => items.lastUser(count)),
    openCalls: every(items, (count) => items.openCalls(count)),
    unread: every(items, (count) => items.unread(count)),
    hidden: every(items, (count) => items.hidden(count)),
    whole: [items.lastUser(), items.openCalls(), items.unread(), items.hidden()],
  }
}

/** The same by a look through each beginning of the list. */
function naiveTotals(list: readonly Item[]): ReturnType<typeof totalsOf> {
  const beginnings = Array.from({ length: list.length + 1 }, (_, count) => list.slice(0, count))
  const users = beginnings.map((some) => some.findLastIndex(isUserMessage))
  const openCalls = beginnings.map(naiveOpenCalls)
  const unread = beginnings.map(naiveUnread)
  const hidden = beginnings.map(naiveHidden)
  return {
    isPlainlyValid: plainlyValid(list, { pending: 'allowed' }),
    hasPinned: list.some(({ pinned }) => pinned),
    standsFor: list.reduce((sum, item) => sum + (item.kind === 'summary' ? item.standsFor : 0), 0),
    fenced: naiveFenced(list),
    ...{ users, openCalls, unread, hidden },
    whole: [users, openCalls, unread, hidden].map((totals) => totals.at(-1) ?? 0),
  }
}

function naiveOpenCalls(some: readonly Item[]): number {
  const open = new Set<string>()
  for (const { message } of some) {
    const parts = partsOf(message)
    for (const one of parts) if (one.type === 'tool-call' && one.providerExecuted !== true) open.add(one.toolCallId)
    for (const one of parts) if (one.type === 'tool-result') open.delete(one.toolCallId)
  }
  return open.size
}

/** Behind the last item that is an answer, a record, or in the range of a record before it. */
function naiveUnread(some: readonly Item[]): number {
  const isRead = (item: Item, index: number) =>
    item.kind === 'summary' ||
    item.message.role === 'assistant' ||
    some.slice(0, index).some((earlier) => earlier.kind === 'summary' && item.place <= earlier.upTo)
  // A place of 0 is before everything.
  return some.findLastIndex((item, index) => item.place <= 0 || isRead(item, index)) + 1
}

/** The items before a provider's own compaction, if that is a text or the provider has answered before it. */
function naiveHidden(some: readonly Item[]): number {
  const hides = ({ message }: Item, index: number) => {
    const native = partsOf(message).find(isNativeCompaction)
    const isAnswered = some.slice(0, index).some((earlier) => earlier.message.role === 'assistant')
    return native !== undefined && (isAnswered || native.type === 'text')
  }
  return Math.max(0, some.findLastIndex(hides))
}

/** Up to the last message with a provider's own compaction, and the results that follow it. */
function naiveFenced(list: readonly Item[]): number {
  const last = list.findLastIndex(({ message }) => hasNativeCompaction(message))
  if (last === -1) return 0
  const after = list.slice(last + 1).findIndex(({ message }) => message.role !== 'tool')
  return after === -1 ? list.length : last + 1 + after
}
