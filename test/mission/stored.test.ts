import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EntryDraft, type Message, messagesOf } from '../../src/model/types.ts'
import { compactSession, compactSessionWith, openSession, stateOf } from '../../src/session/index.ts'
import type { Store } from '../../src/store/store.ts'
import { call, modelSaying, result, turns, user } from '../support/messages.ts'
import { countingDeps, temporaryStore } from '../support/store.ts'

const SUMMARY = '## Goal\nTo answer each question that was asked, one after the other, until none is left.'
const model = { contextWindow: 16_000 }
const said = (messages: readonly Message[]): EntryDraft[] => messages.map((message) => ({ type: 'message', message }))
const PRESETS = ['pith', 'keen', 'koda', 'agent', 'kit'] as const

let temporary: Awaited<ReturnType<typeof temporaryStore>>
let store: Store
let id: string
const deps = countingDeps()

beforeEach(async () => {
  temporary = await temporaryStore(deps)
  store = temporary.store
  id = (await store.createSession({ owner: 'ann', workspace: '/repo' })).id
})
afterEach(() => temporary.remove())

const compacted = (more: Partial<Parameters<typeof compactSession>[2]> = {}) =>
  compactSession(store, id, { holder: 'test', model, summaryModels: [modelSaying(SUMMARY)], ...more })

/** The state of the session after two compactions with talk after each, read by another process. */
async function twiceCompacted(preset: (typeof PRESETS)[number]) {
  for (let round = 0; round < 2; round++) {
    await store.append(id, said(turns(40, 400)))
    const done = await compacted({ policy: { preset, ...(preset === 'kit' ? { keepTokens: 500 } : {}) } })
    expect(done, done.reason).toMatchObject({ compacted: true, summary: expect.stringContaining(SUMMARY) })
  }
  const open = await openSession(await temporary.reopen(), id)
  const messages = open.log.filter(({ type }) => type === 'message')
  return { state: stateOf(open), messages: JSON.stringify(messages) }
}

describe('a stored session', () => {
  it('R4: compacted messages stay archived, the view has the summary in their place, before the tail', async () => {
    const messages = turns(30, 400)
    await store.append(id, said(messages))
    const done = await compacted({ policy: { preset: 'koda' } })
    expect(done).toMatchObject({ compacted: true, messagesRemoved: 56 })
    const { view } = await openSession(store, id)
    expect(messagesOf(view)).toEqual([{ role: 'system', content: SUMMARY }, ...messages.slice(-4)])
    const { entries } = await store.entries(id, { only: 'messages' })
    expect(entries.map((entry) => entry.type === 'message' && entry.message)).toEqual(messages)
  })

  it('R12: one function compacts a session by id, another takes the model as an argument', async () => {
    await store.append(id, said(turns(30, 400)))
    const mine = { ...modelSaying('## Goal\nMine.'), name: 'acme/mine' }
    const done = await compactSessionWith(store, id, mine, { holder: 'test', model })
    expect(done).toMatchObject({ compacted: true, model: 'acme/mine', summary: '## Goal\nMine.' })
    await store.append(id, said(turns(30, 400)))
    expect(await compacted()).toMatchObject({ compacted: true, model: 'test/model' })
  })

  it.each(PRESETS)('R6: under %s the to-do list survives in the database, not through the summary', async (preset) => {
    const todos = [{ content: 'write the docs', status: 'in_progress' }]
    await store.append(id, [
      ...said([user('go'), call('t', 'TodoWrite', { todos }), result('t', 'noted', 'TodoWrite')]),
    ])
    const { state, messages } = await twiceCompacted(preset)
    expect(state.todos).toEqual([{ text: 'write the docs', status: 'in-progress' }])
    expect(messages).not.toContain('write the docs')
  })

  it.each(PRESETS)('R6: under %s a to-do list of our own tool survives likewise', async (preset) => {
    const items = [{ text: 'write the docs', status: 'pending' as const }]
    await store.append(id, [...said([user('go')]), { type: 'todo', items }])
    expect((await twiceCompacted(preset)).state.todos).toEqual(items)
  })

  it.each(PRESETS)(
    'R8: under %s the files that it changed are kept in the database, not in messages',
    async (preset) => {
      const work = [
        call('r', 'read', { path: 'src/read.ts' }),
        result('r', 'text'),
        call('w', 'write', { path: 'src/made.ts', content: 'x' }),
        result('w', 'written', 'write'),
        call('e', 'edit', { path: 'src/changed.ts', oldText: 'x', newText: 'y' }),
        result('e', 'edited', 'edit'),
      ]
      await store.append(id, said([user('go'), ...work]))
      const { state, messages } = await twiceCompacted(preset)
      const changed = state.files.filter(({ access }) => access === 'modified').map(({ path }) => path)
      expect(changed.toSorted()).toEqual(['src/changed.ts', 'src/made.ts'])
      expect(messages).not.toContain('src/made.ts')
    },
  )
})
