import { expect, onTestFinished, test } from 'vitest'
import type { Message } from '../../../src/model/types.ts'
import { handleQuery, recall, searchConversation, searchSession } from '../../../src/session/search/search-session.ts'
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

  const found = await searchConversation(store, id, 'deploy-token')

  expect(found.map(({ seq }) => seq)).toEqual([1])
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

  expect(await searchConversation(store, id, 'deploy-token')).toHaveLength(1)
})

test('a model gets the twenty best places, a person as many as asked for', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'local', workspace: '/w' })
  const message: Message = { role: 'user', content: 'The deploy-token is "k-77"' }
  await store.append(
    id,
    Array.from({ length: 21 }, () => ({ type: 'message' as const, message })),
  )
  expect(await searchConversation(store, id, 'deploy-token')).toHaveLength(20)
  expect(await searchSession(store, id, 'deploy-token', 21)).toHaveLength(21)
  expect(await searchSession(store, id, 'deploy-token', 3)).toHaveLength(3)
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
  expect(await seqs([1, 5])).toEqual([1, 5])
})

test.each([
  ['#12', { seqs: [12] }],
  [' 12, #13\t14 ', { seqs: [12, 13, 14] }],
  ['#12-#20', { from: 12, upTo: 20 }],
  [' 12 – #20 ', { from: 12, upTo: 20 }],
  ['12 .. 20', { from: 12, upTo: 20 }],
])('the handles %j name entries', (what, query) => {
  expect(handleQuery(what)).toEqual(query)
})

test.each([
  ['', '``'],
  ['#12 and 13', '`and`'],
  ['x12-20', '`x12-20`'],
])('%j is refused, and the user reads what to write', (what, quoted) => {
  expect(() => handleQuery(what)).toThrow(`${quoted} is not a handle: write #12, or #12-#20 for a range`)
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
