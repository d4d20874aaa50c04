import { expect, test } from 'vitest'
import { faceNamed } from '../../../../src/gateway/faces/read-request.ts'
import { textOf } from '../../../../src/model/types.ts'
import { answerWorld } from './answer-world.ts'

const PATH = '/v1/chat/completions'
const STEP = 'Step done and checked.'

test('a client that works on while it compacts continues in one session, with nothing twice', async () => {
  const world = await answerWorld(({ body }) => (body.includes('This message is from') ? 'All is deployed.' : STEP))
  const send = async (messages: readonly object[], headers = {}) => {
    const { body } = await world.send(PATH, { model: 'm', stream: true, messages }, headers)
    const message = faceNamed('openai-chat').answerOf(body, 0)?.message
    return message === undefined ? '' : textOf(message)
  }
  const messages: object[] = []
  for (let i = 0; i < 8; i++) {
    messages.push({ role: 'user', content: `Please deploy step ${i}. ${'It matters. '.repeat(60)}` })
    messages.push({ role: 'assistant', content: await send(messages) })
  }
  // Copilot CLI does so, and replaces what it has sent with the record when that has come.
  const compaction = { 'x-interaction-type': 'conversation-compaction' }
  const record = await send([...messages, { role: 'user', content: 'Summarize it.' }], compaction)
  const next = { role: 'user', content: 'Please write the changelog' }
  const answer = { role: 'assistant', content: await send([...messages, next]) }

  await send([
    { role: 'user', content: `It was summarized: ${record}` },
    next,
    answer,
    { role: 'user', content: 'Thanks' },
  ])

  await world.gateway.stop()
  const { sessions } = await world.store.sessions({ owner: 'local' })
  expect(sessions).toHaveLength(1)
  const { entries } = await world.store.entries(sessions[0]?.id ?? '', { only: 'messages' })
  const said = entries.map((entry) => (entry.type === 'message' ? textOf(entry.message) : ''))
  expect(said.slice(-4)).toEqual([next.content, STEP, 'Thanks', STEP])
})
