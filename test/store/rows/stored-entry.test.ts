import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../src/model/types.ts'
import { readStoredEntry, storedEntry } from '../../../src/store/rows/stored-entry.ts'
import { call, result, user } from '../../support/messages.ts'
import { everyDraft } from '../contract/drafts.ts'

const entries = everyDraft.map((draft, i): Entry => ({ ...draft, id: `id-${i + 1}`, seq: i + 1, at: 1_000 }))
const compaction = entries.find((entry) => entry.type === 'compaction')

/** The result of reading a row whose body has these fields instead of its own. */
const readWith = (entry: Entry, changes: object) =>
  readStoredEntry({ ...storedEntry(entry), body: JSON.stringify({ ...entry, ...changes }) }, entry.seq)

describe('an entry of every type', () => {
  it.each(entries.map((entry) => [entry.type, entry] as const))('(%s) is read as it was stored', (_, entry) => {
    expect(readStoredEntry(storedEntry(entry), entry.seq)).toEqual(entry)
  })

  it.each(entries.map((entry) => [entry.type, entry] as const))('(%s) has to be at its place', (_, entry) => {
    const wrong = readStoredEntry(storedEntry(entry), entry.seq + 1)
    expect(wrong).toBe(`entry #${entry.seq + 1}: says that it is #${entry.seq}`)
  })
})

describe('a compaction', () => {
  it('has its summary, its parts and its facts in a column of their own, and comes without them when it is read lightly', () => {
    if (compaction?.type !== 'compaction') throw new Error('one of every type')
    const stored = storedEntry(compaction)
    expect(stored.body).not.toContain('indexDelta')
    const { summary, parts, indexDelta } = compaction
    expect(JSON.parse(stored.facts ?? '')).toEqual({ summary, parts, indexDelta })
    expect(stored.body).not.toContain('say 你好')
    const light = readStoredEntry({ ...stored, facts: null }, compaction.seq, true)
    expect(light).toEqual({ ...compaction, summary: '', parts: undefined, indexDelta: {} })
    expect(readStoredEntry({ ...stored, facts: null }, compaction.seq)).toBeTypeOf('string')
  })

  it.each([
    { from: 'one' },
    { upTo: 1.5 },
    { messages: null },
    { keep: 'all' },
    { keep: ['one'] },
    { id: 7 },
    { frame: 'unheard of' },
  ])('with %j is refused', (changes) => {
    if (compaction?.type !== 'compaction') throw new Error('one of every type')
    expect(readWith(compaction, changes)).toBeTypeOf('string')
  })

  it.each([
    { summary: 7 },
    { indexDelta: 'facts' },
    { indexDelta: { errors: 'all' } },
    { indexDelta: { errors: [{}] } },
    { parts: 'all' },
    { parts: [{ text: 'a' }] },
    { parts: [{ text: 'a', from: ['one'] }] },
  ])('with the facts %j is refused', (changes) => {
    if (compaction?.type !== 'compaction') throw new Error('one of every type')
    const facts = JSON.stringify({ summary: '', indexDelta: {}, ...changes })
    expect(readStoredEntry({ ...storedEntry(compaction), facts }, compaction.seq)).toBeTypeOf('string')
  })
})

describe('a message', () => {
  const message = (value: unknown) =>
    readStoredEntry(
      { body: JSON.stringify({ type: 'message', id: 'a', seq: 1, at: 1, message: value }), facts: null },
      1,
    )

  it.each([user('hello'), call('c1'), result('c1')])('of the role $role is read', (value) => {
    expect(message(value)).toMatchObject({ message: value })
  })

  it.each<[unknown]>([
    [null],
    [{ role: 'nobody', content: 'hello' }],
    [{ role: 'tool', content: 'hello' }],
    [{ role: 'user', content: 7 }],
    [{ role: 'user', content: [null] }],
    [{ role: 'user', content: [{ type: 7 }] }],
    [{ role: 'assistant', content: [{ type: 'text', text: 7 }] }],
    [{ role: 'assistant', content: [{ type: 'reasoning' }] }],
    [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 7, toolName: 'read', input: {} }] }],
    [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', input: {} }] }],
    [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: 'text' }] }],
    [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: {} }] }],
    [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 7, output: { type: 'text', value: '' } }] }],
  ])('%j is refused', (value) => {
    expect(message(value)).toBeTypeOf('string')
  })
})

describe('an entry that points at others', () => {
  it.each([
    { type: 'undo', of: 'one' },
    { type: 'redact', target: 1.5 },
    { type: 'mask', targets: 1, tokensBefore: 1, tokensAfter: 0 },
    { type: 'mask', targets: ['one'], tokensBefore: 1, tokensAfter: 0 },
    { type: 'attempt', outcome: 'won', reason: 'none' },
    { type: 'attempt', outcome: 'failed', reason: 7 },
    { type: 'unheard of' },
  ])('%j is refused', (value) => {
    const body = JSON.stringify({ id: 'a', seq: 1, at: 1, ...value })
    expect(readStoredEntry({ body, facts: null }, 1)).toBeTypeOf('string')
  })

  it.each(['undo', 'message'])('or a message (%s) without an id or a number is refused', (type) => {
    const whole = { type, of: 1, message: user('hello'), id: 'a', seq: 1, at: 1 }
    for (const changes of [{ id: 7 }, { seq: 'one' }]) {
      const body = JSON.stringify({ ...whole, ...changes })
      expect(readStoredEntry({ body, facts: null }, 1)).toBeTypeOf('string')
    }
  })

  it.each(['', 'null', '7', '"text"', '{'])('and the body %j is refused', (body) => {
    expect(readStoredEntry({ body, facts: null }, 1)).toBeTypeOf('string')
  })
})
