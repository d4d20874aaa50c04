import { expect, onTestFinished, test } from 'vitest'
import type { Message } from '../../../src/model/types.ts'
import { recall, searchSession } from '../../../src/session/search/search-session.ts'
import { openStore } from '../../../src/store/open-store.ts'

test('a model that searches finds where something was said, and none of its own searches', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'local', workspace: '/w' })
  const lookUps = Array.from({ length: 60 }, (_, i) => lookUp(`call-${i}`)).flat()
  const messages: Message[] = [{ role: 'user', content: 'The deploy-token is "k-77"' }, ...lookUps]
  await store.append(
    id,
    messages.map((message) => ({ type: 'message' as const, message })),
  )

  const { hits } = await searchSession(store, id, 'deploy-token')

  expect(hits.map(({ seq }) => seq)).toEqual([1])
})

test('what other tools were asked is found', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'local', workspace: '/w' })
  const input = { command: 'grep deploy-token config.json' }
  const message: Message = {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'b', toolName: 'bash', input }],
  }
  await store.append(id, [{ type: 'message', message }])

  expect((await searchSession(store, id, 'deploy-token')).hits).toHaveLength(1)
})

test('a search has the best places, as many as asked for, page by page', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'local', workspace: '/w' })
  const said = (content: string) => ({ type: 'message' as const, message: { role: 'user' as const, content } })
  await store.append(
    id,
    Array.from({ length: 42 }, (_, i) => said(i % 2 === 0 ? `The deploy-token ${i}` : 'Yes.'.repeat(i))),
  )
  const seqs = async (page?: { limit: number; offset?: number }) =>
    (await searchSession(store, id, 'deploy-token', page)).hits.map(({ seq }) => seq)
  const all = await seqs({ limit: 21 })
  expect(await seqs()).toHaveLength(20)
  expect(all).toHaveLength(21)
  expect(await seqs({ limit: 3 })).toEqual(all.slice(0, 3))
  expect(await seqs({ limit: 3, offset: 3 })).toEqual(all.slice(3, 6))
})

test('entries are recalled by handles, by a range or by their numbers', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'local', workspace: '/w' })
  const message: Message = { role: 'user', content: 'Go.' }
  await store.append(
    id,
    Array.from({ length: 5 }, () => ({ type: 'message' as const, message })),
  )
  const seqs = async (what: string | readonly number[]) => (await recall(store, id, what)).map(({ seq }) => seq)
  expect(await seqs('#2, 4 99')).toEqual([2, 4])
  expect(await seqs('#2-#4')).toEqual([2, 3, 4])
  expect(await seqs('#5, 1-2, #2')).toEqual([1, 2, 5])
  expect(await seqs([1, 5])).toEqual([1, 5])
})

/** A model that looks something up, and the answer. */
function lookUp(toolCallId: string): Message[] {
  const call = { toolCallId, toolName: 'recall' }
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { search: 'deploy-token' } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', ...call, output: { type: 'text', value: '#1: The deploy-token is …' } }],
    },
  ]
}
