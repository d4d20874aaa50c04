import { expect, it } from 'vitest'
import type { EntryDraft, Message } from '../../src/model/types.ts'
import { searchText } from '../../src/search/entry-doc.ts'
import { everyDraft } from '../store/contract/drafts.ts'
import { call, result, user } from '../support/messages.ts'

const textOf = (draft: EntryDraft) => searchText({ ...draft, id: 'a', seq: 1, at: 1 })
const said = (message: Message) => textOf({ type: 'message', message })

it('a message is found by what was said, thought, called and answered', () => {
  expect(said(user('hello'))).toBe('hello')
  const parts = [
    { type: 'reasoning', text: 'I think' },
    { type: 'text', text: '' },
    { type: 'text', text: 'so' },
  ] as const
  expect(said({ role: 'assistant', content: [...parts] })).toBe('I think\nso')
  expect(said(result('c1', 'the output'))).toBe('the output')
  const image = { type: 'image', image: 'AAAA', mediaType: 'image/png' } as const
  expect(said({ role: 'user', content: [image, { type: 'text', text: 'look' }] })).toBe('look')
})

it('a call is found by the name of its tool and the texts of its arguments, not by their JSON', () => {
  const input = { path: 'a.ts', edits: [{ text: 'one\n"two"' }], all: true, none: null }
  expect(said(call('c1', 'write', input))).toBe('write a.ts\none\n"two"\ntrue\nnull')
  expect(said(call('c1', 'bash', 'ls'))).toBe('bash ls')
})

it('to-dos and titles are found, and no records', () => {
  const texts = everyDraft.map((draft) => [draft.type, textOf(draft) === ''] as const)
  const silent = new Set(texts.filter(([, isSilent]) => isSilent).map(([type]) => type))
  for (const type of ['todo'] as const) expect(silent).not.toContain(type)
  for (const type of ['compaction', 'edit', 'mask', 'undo', 'attempt', 'redact'] as const)
    expect(silent).toContain(type)
  expect(textOf({ type: 'settings', title: 'A title' })).toBe('A title')
  expect(textOf({ type: 'settings', model: 'a/b' })).toBe('')
  const items = ['one', 'two'].map((text) => ({ text, status: 'pending' as const }))
  expect(textOf({ type: 'todo', items })).toBe('one\ntwo')
})

it('a text of megabytes is found by its beginning only', () => {
  expect(said(user('x'.repeat(600_000)))).toHaveLength(500_000)
})
