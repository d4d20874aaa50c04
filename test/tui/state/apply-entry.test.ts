import { expect, it } from 'vitest'
import { appended } from '../../../src/engine/context/view/log.ts'
import { rewoundForModel } from '../../../src/engine/report/change-text.ts'
import { programNote } from '../../../src/model/text.ts'
import type { EntryDraft, Message } from '../../../src/model/types.ts'
import { blocksOf } from '../../../src/tui/state/apply-entry.ts'
import { call, result } from '../../support/messages.ts'

const pasted: EntryDraft = { type: 'message', message: { role: 'user', content: 'x'.repeat(5_000) } }
const squeeze: EntryDraft = { type: 'squeeze', squeezes: [{ target: 1, head: 600, tail: 300 }] }

const textsOf = (...drafts: readonly EntryDraft[]) =>
  blocksOf([...appended([], drafts)]).map((block) => ('text' in block ? block.text : block.kind))

it('a shortened message says how much of it the model sees', () => {
  expect(textsOf(pasted, squeeze).at(-1)).toBe(
    'Shortened #1: the model sees 900 of its 5,000 characters, the beginning and the end, and can recall the rest.',
  )
})

it('shortened parallel results show no number: each keeps another part', () => {
  const message: Message = { role: 'tool', content: ['a', 'b'].flatMap((id) => result(id, 'x'.repeat(5_000)).content) }
  const calls = ['a', 'b'].map((id): EntryDraft => ({ type: 'message', message: call(id) }))
  const pieces = [0, 1].map((at) => ({ at, head: 600, tail: 300 }))
  for (const by of [
    { head: 600, tail: 300 },
    { head: 1_200, tail: 600, pieces },
  ]) {
    const shortened: EntryDraft = { type: 'squeeze', squeezes: [{ target: 3, ...by }] }
    expect(textsOf(...calls, { type: 'message', message }, shortened).at(-1)).toBe(
      'Shortened #3: the model sees the beginning and the end and can recall the rest.',
    )
  }
})

it('an undo says what it took back, and a redo what it did again', () => {
  const [, , undone, redone] = textsOf(pasted, squeeze, { type: 'undo', of: 2 }, { type: 'undo', of: 3 })
  expect(undone).toBe('Undone: the shortening of #1 (#2). /redo takes this back.')
  expect(redone).toBe('Redone: the shortening of #1 (#2).')
})

it('a digest says that a focus changed nothing, a summary by a model does not', () => {
  const made = (rung: 'digest' | 'cold', focus?: string): EntryDraft => ({
    ...{
      type: 'compaction',
      from: 1,
      upTo: 1,
      keep: [],
      frame: 'pith',
      summary: 'It is done.',
      reason: 'manual',
      messages: 1,
    },
    ...{ tokensBefore: 9, tokensAfter: 5, indexTokens: 0, userTokens: 0, indexDelta: {} },
    rung,
    focus,
  })
  const notes = [made('digest', 'ports'), made('digest'), made('cold', 'ports')].map(
    (draft) => blocksOf([...appended([], [pasted, draft])]).at(-1) as { unusedFocus?: string },
  )
  expect(notes.map(({ unusedFocus }) => unusedFocus)).toEqual([
    'The focus changed nothing: only a summary by a model follows it',
    undefined,
    undefined,
  ])
})

it('a long result knows how much of it the model sees', () => {
  const drafts: EntryDraft[] = [
    { type: 'message', message: call('a', 'bash') },
    { type: 'message', message: result('a', 'y'.repeat(90_000)), shown: { head: 10_000, tail: 5_000 } },
  ]
  expect(blocksOf([...appended([], drafts)])).toMatchObject([{ kind: 'tool', shownCharacters: 15_000 }])
})

const edited = (target: number): EntryDraft[] => [
  { type: 'message', message: call('a', 'edit', { path: 'secret.txt' }) },
  { type: 'message', message: result('a', 'Edited secret.txt:\n@@ -1 +1 @@\n-secret\n+other secret') },
  { type: 'redact', target },
]

it('the redacted result of an edit shows neither its file nor its diff', () => {
  expect(JSON.stringify(blocksOf([...appended([], edited(2))]))).not.toContain('secret')
})

it('the redacted call of an edit shows neither its file nor what it would have written', () => {
  expect(blocksOf([...appended([], edited(1))])[0]).toMatchObject({ kind: 'tool', target: '', diff: undefined })
})

it('a redacted command shows none of its lines', () => {
  const drafts: EntryDraft[] = [
    { type: 'message', message: call('a', 'bash', { command: 'cat <<END\nsecret\nEND' }) },
    { type: 'message', message: result('a', 'printed') },
  ]
  for (const target of [1, 2])
    expect(JSON.stringify(blocksOf([...appended([], [...drafts, { type: 'redact', target }])]))).not.toContain('secret')
})

it('the to-do list is drawn when it changes', () => {
  const items = [
    { text: 'read', status: 'done' as const },
    { text: 'write\x1b[2J', status: 'pending' as const },
  ]
  const [block] = blocksOf([...appended([], [{ type: 'todo', items }])])
  if (block?.kind !== 'panel') throw new Error('not drawn')
  expect(block.lines.map((spans) => spans.map(([text]) => text).join(''))).toEqual([
    '☑ read',
    expect.stringMatching(/^☐ write[^\x1b]*$/),
  ])
})

it('a note to the model is not cut inside a word', () => {
  const parts = [
    'plan it',
    programNote('Plan mode is on for this message: find out what has to be done, and change nothing.'),
  ]
  const content = parts.map((text) => ({ type: 'text' as const, text }))
  expect(textsOf({ type: 'message', message: { role: 'user', content } })).toEqual([
    'plan it',
    'With a note to the model: Plan mode is on for this message: find out what has to be …',
  ])
})

it('the message about files that were set back is not shown as typed, unless the user typed it', () => {
  const content = rewoundForModel({ done: [{ path: 'a.ts', change: 'restore' }], left: [] }, 7)
  const ours: EntryDraft = { type: 'message', message: { role: 'user', content }, userWords: [] }
  const typed: EntryDraft = { type: 'message', message: { role: 'user', content } }
  expect(blocksOf([...appended([], [ours, typed])])).toMatchObject([
    { kind: 'note', text: `For the agent: ${content}` },
    { kind: 'user', text: content },
  ])
})
