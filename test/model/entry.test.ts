import { describe, expect, it } from 'vitest'
import { parseEntry, readEntry } from '../../src/model/entry.ts'
import type { Entry } from '../../src/model/types.ts'

const base = { id: 'e1', seq: 1, at: 0 }

const ENTRIES: readonly Entry[] = [
  {
    ...base,
    type: 'message',
    message: { role: 'user', content: 'hi' },
    usage: { inputTokens: 1, outputTokens: 2 },
    model: 'a/b',
  },
  {
    ...base,
    type: 'compaction',
    from: 1,
    upTo: 4,
    keep: [2],
    summary: 's',
    frame: 'pith',
    parts: [
      { from: [], text: 'frame' },
      { section: 'Now', heading: 'Said', from: [1, 2], text: '- hi' },
      { section: 'Current state', from: [], text: 's', narrative: true },
    ],
    indexDelta: { files: [{ path: 'a', access: 'read', seq: 1 }], users: [{ seq: 1, text: 'hi', length: 2 }] },
    messages: 3,
    reason: 'manual',
    rung: 'cold',
    tokensBefore: 9,
    tokensAfter: 1,
    cost: 0.1,
    focus: 'tests',
  },
  { ...base, type: 'mask', targets: [1], tokensBefore: 2, tokensAfter: 1 },
  { ...base, type: 'squeeze', squeezes: [{ target: 1, head: 10, tail: 10 }] },
  { ...base, type: 'edit', of: 1, summary: 's' },
  { ...base, type: 'undo', of: 1 },
  {
    ...base,
    type: 'repair',
    changes: [
      { op: 'drop-message', seq: 1, why: 'empty' },
      { op: 'drop-part', seq: 1, part: 0, why: 'empty' },
      { op: 'add-result', seq: 1, toolCallId: 'a', toolName: 'read', why: 'missing' },
      { op: 'move-result', from: 3, part: 0, seq: 1, why: 'late' },
      { op: 'rename-call', seq: 1, part: 0, toolCallId: 'a_2', why: 'twice' },
    ],
  },
  { ...base, type: 'redact', target: 1 },
  { ...base, type: 'pin', target: 1, on: true },
  { ...base, type: 'attempt', outcome: 'failed', reason: 'boom' },
  { ...base, type: 'settings', model: 'a/b', policy: { preset: 'koda' }, title: 't' },
  { ...base, type: 'todo', items: [{ text: 't', status: 'in-progress' }] },
]

describe('an entry', () => {
  it.each(ENTRIES.map((entry) => [entry.type, entry] as const))(
    'of type %s comes back from JSON as it was',
    (_, entry) => {
      expect(parseEntry(JSON.parse(JSON.stringify(entry)))).toEqual(entry)
    },
  )

  it.each([
    ['nothing at all', undefined, 'entry: '],
    ['a type that does not exist', { ...base, type: 'note' }, 'entry: type: '],
    ['no seq', { id: 'e', at: 0, type: 'undo', of: 1 }, 'entry: seq: '],
    ['a seq that is no whole number', { ...base, seq: 1.5, type: 'undo', of: 1 }, 'entry: seq: '],
    ['an empty id', { ...base, id: '', type: 'undo', of: 1 }, 'entry: id: '],
    ['an unknown key', { ...base, type: 'undo', of: 1, note: 'x' }, 'entry: unknown key `note`'],
    ['an unknown setting', { ...base, type: 'settings', policy: { x: 1 } }, 'entry: policy: unknown key `x`'],
    [
      'a negative count',
      { ...base, type: 'squeeze', squeezes: [{ target: 1, head: -1, tail: 0 }] },
      'entry: squeezes.0.head: ',
    ],
    ['a step of no kind', { ...base, type: 'repair', changes: [{ op: 'burn' }] }, 'entry: changes.0.op: '],
    ['a message without content', { ...base, type: 'message', message: { role: 'user' } }, 'entry: message.content: '],
    [
      'a part that is not right, deep in a message',
      { ...base, type: 'message', message: { role: 'user', content: [{ type: 'text', text: 5 }] } },
      'entry: message.content.0.text: ',
    ],
  ])('with %s is refused in one line that names the place', (_, value, start) => {
    const refuse = () => parseEntry(value)
    expect(refuse).toThrowError(expect.objectContaining({ name: 'PithError', code: 'bad-entry' }))
    expect(refuse).toThrowError(expect.objectContaining({ message: expect.stringMatching(/^[^\n]+$/) }))
    expect(refuse).toThrowError(expect.objectContaining({ message: expect.stringContaining(start) }))
  })

  it('is named as the caller says, so that a file’s line is in the error', () => {
    expect(() => parseEntry({}, 'log.jsonl, line 12')).toThrowError(/^log\.jsonl, line 12: /)
  })
})

describe('an entry of another version', () => {
  it.each(ENTRIES.map((entry) => [entry.type, entry] as const))(
    'of type %s loses only the keys that it has more',
    (_, entry) => {
      expect(readEntry({ ...entry, colour: 'blue' })).toEqual(entry)
    },
  )

  it('loses settings of the policy that this version does not know, by their name or by their value', () => {
    const policy = { keepTurns: 3, mode: 'ask', rungs: ['cold', 'teleport'], keepTokens: 5 }
    expect(readEntry({ ...base, type: 'settings', title: 't', policy })).toEqual({
      ...base,
      type: 'settings',
      title: 't',
      policy: { mode: 'ask', keepTokens: 5 },
    })
  })

  it('loses unknown keys in lists and tables inside it', () => {
    const items = [{ text: 't', status: 'done', colour: 'blue' }]
    expect(readEntry({ ...base, type: 'todo', items })).toEqual({
      ...base,
      type: 'todo',
      items: [{ text: 't', status: 'done' }],
    })
  })

  it('is not changed itself', () => {
    const entry = { ...base, type: 'undo', of: 1, colour: 'blue' }
    readEntry(entry)
    expect(entry.colour).toBe('blue')
  })

  it('that lacks something is refused in one line anyway', () => {
    expect(() => readEntry({ ...base, type: 'undo', colour: 'blue' }, 'entry #4')).toThrowError(
      /^entry #4: of: [^\n]+$/,
    )
  })
})
