import { expect, onTestFinished, test } from 'vitest'
import type { Message } from '../../src/model/message.ts'
import { searchSaid } from '../../src/session/search-session.ts'
import { openStore } from '../../src/store/open-store.ts'

test('a model that looks for something finds where it was said, and none of its own searches', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'local', workspace: '/w' })
  const lookUps = Array.from({ length: 60 }, (_, i) => lookUp(`call-${i}`)).flat()
  const messages: Message[] = [{ role: 'user', content: 'The deploy-token is "k-77"' }, ...lookUps]
  await store.append(
    id,
    messages.map((message) => ({ type: 'message' as const, message })),
  )

  const found = await searchSaid(store, id, 'deploy-token')

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

  expect(await searchSaid(store, id, 'deploy-token')).toHaveLength(1)
})

/** A model that looks something up, and what it is told. */
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
