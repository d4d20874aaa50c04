import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openContext, withFacts } from '../../../src/engine/context/open-context.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { factsIn, indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { itemFacts, type KnownFacts } from '../../../src/engine/extract/item-facts.ts'
import { messageFacts } from '../../../src/engine/extract/message-facts.ts'
import type { Entry, Item, Message, MessageItem } from '../../../src/model/types.ts'
import { history } from '../../support/arbitrary-history.ts'
import { anyLog } from '../../support/arbitrary-log.ts'
import { compaction } from '../../support/compaction.ts'
import { full } from '../../support/full.ts'
import { user } from '../../support/messages.ts'

const call = (id: string, command: string): Message => ({
  role: 'assistant',
  content: [
    { type: 'text', text: 'I run it for `readSettings`.' },
    { type: 'tool-call', toolCallId: id, toolName: 'bash', input: { command } },
  ],
})
const result = (id: string, value: string): Message => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: 'bash', output: { type: 'text', value } }],
})
const said: Message[] = [
  user('Never touch port 8080.'),
  call('a', 'npm test > out.txt'),
  result('a', 'Exit code 1\nError: no such file'),
  // The same id again: it is another call.
  call('a', 'cat src/plan.ts'),
  result('a', 'fine'),
]
const itemsIn = (log: readonly Entry[]) => viewOf(log).items.slice()
/** The facts of each item, found one after the other. */
const factsOf = (items: readonly Item[], changes = true): KnownFacts => {
  const open = new Map()
  return items.map((item) => itemFacts(item, open, { changes }))
}

describe('the facts of one item', () => {
  it('are what it says, and what the calls came to that it answers', () => {
    const items = itemsIn(logOf(said))
    const [asked, called, answered, again, fine] = factsOf(items)
    expect(asked).toMatchObject({ said: messageFacts(items[0] as MessageItem), results: [] })
    expect(called?.results).toEqual([])
    expect(answered?.results).toMatchObject([
      { answered: { seq: 2 }, facts: { commands: [{ command: 'npm test > out.txt', ok: false, seq: 2 }] } },
    ])
    expect(again?.said).toEqual(
      called && { identifiers: called.said.identifiers?.map((name) => ({ ...name, seq: 4 })) },
    )
    expect(fine?.results).toMatchObject([
      { answered: { seq: 4 }, facts: { commands: [{ command: 'cat src/plan.ts' }] } },
    ])
  })

  it('leave out a record: its own facts are in its index', () => {
    const log = [...logOf(said), { ...compaction({ upTo: 3 }), id: 'e6', seq: 6, at: 0 } as Entry]
    expect(factsOf(itemsIn(log)).map((facts) => facts?.item.seq)).toEqual([undefined, 4, 5])
  })
})

describe('facts that were found as the messages came', () => {
  it('are those that a look through all of them finds', () => {
    const looked = indexDelta(itemsIn(logOf(structuredClone(said))))
    const items = itemsIn(logOf(said))
    expect(indexDelta(items, factsOf(items))).toEqual(looked)
    expect(looked.commands?.map(({ command }) => command)).toEqual(['npm test > out.txt', 'cat src/plan.ts'])
  })

  it('are those that a look finds, of any history and any part of it', () => {
    fc.assert(
      fc.property(history, fc.nat(), fc.nat(), fc.boolean(), (messages, a, b, changes) => {
        const items = itemsIn(logOf(messages))
        const known = factsOf(items, changes)
        const [from = 0, to = 0] = [a, b].map((n) => n % (items.length + 1)).toSorted((one, other) => one - other)
        const [some, theirs] = [items.slice(from, to), known.slice(from, to)]
        expect(factsIn(some, undefined, theirs)).toEqual(factsIn(some))
        // Where some are not known, they are looked for.
        const part = theirs.map((facts, i) => (i % 3 === 0 ? undefined : facts))
        expect(factsIn(some, undefined, part)).toEqual(factsIn(some))
      }),
      { numRuns: full ? 1_000 : 60 },
    )
  })

  it('are those that a look finds after any change of the view', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        let context = withFacts(openContext(log.slice(0, log.length >> 1)), { changes: true })
        context = withFacts(openContext(log, {}, undefined, context), { changes: true })
        const items = context.view.items.slice()
        const known = context.facts.found.slice()
        expect(factsIn(items, undefined, known)).toEqual(factsIn(itemsIn(structuredClone(log))))
      }),
      { numRuns: full ? 3_000 : 100 },
    )
  })

  it('have the place of their message in each log', () => {
    const log = logOf(said)
    const before = withFacts(openContext(log), { changes: true })
    const later = log.map((entry) => ({ ...entry, seq: entry.seq + 100 }))
    const context = withFacts(openContext(later, {}, undefined, before), { changes: true })
    const { users, commands } = indexDelta(context.view.items.slice(), context.facts.found.slice())
    expect(users?.map(({ seq }) => seq)).toEqual([101])
    expect(commands?.map(({ seq }) => seq)).toEqual([102, 104])
  })
})
