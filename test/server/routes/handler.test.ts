import { expect, it } from 'vitest'
import { serverWorld } from '../support/world.ts'

it('a wrong request is answered by a sentence: what is wrong, and where', async () => {
  const { ask, session } = await serverWorld({ noModel: true })
  const id = await session({ messages: [] })
  const refused = async (...[method, path, body]: Parameters<typeof ask>) =>
    (await ask(method, path, body)).body.error.message
  expect(await refused('PUT', `/v1/sessions/${id}/pins/first`)).toBe('seq in the path must be a number')
  expect(await refused('GET', '/v1/sessions?limit=many')).toBe('limit in the query must be a number')
  expect(await refused('POST', '/v1/sessions', { title: 7 })).toBe('title in the body must be a text, not a number')
  expect(await refused('POST', '/v1/sessions', { tilte: 'A' })).toBe(
    'the body: unknown key `tilte`, did you mean `title`?',
  )
  expect(await refused('POST', '/v1/sessions', [])).toBe('the body must be a table, not a list')
  const wrong = { role: 'user', content: 7 }
  const problem = 'in the body has none of the accepted forms'
  expect(await refused('POST', '/v1/sessions', { messages: [wrong] })).toBe(`messages.0.content ${problem}`)
  expect(await refused('POST', `/v1/sessions/${id}/messages`, { messages: [{ message: wrong }] })).toBe(
    `messages.0.message.content ${problem}`,
  )
  expect(await refused('POST', `/v1/sessions/${id}/turn`, { message: wrong })).toBe(`message.content ${problem}`)
  const headers = { 'content-type': 'application/x-ndjson' }
  expect((await ask('POST', '/v1/sessions/import', 'no session', { headers })).body.error.message).toMatch(
    /^the content is not a session of an agent that Pith knows$/,
  )
})
