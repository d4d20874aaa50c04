import { expect, it } from 'vitest'
import { requestAttributes } from '../../../src/adapters/opentelemetry/index.ts'
import { fit as fitted } from '../../../src/fit/fit.ts'
import { fromAnthropic, fromOpenAIResponses } from '../../../src/formats/index.ts'
import { call, result, turns, user } from '../../support/messages.ts'

const inputOf = (messages: Parameters<typeof requestAttributes>[0], redact?: (text: string) => string) =>
  JSON.parse(requestAttributes(messages, { content: true, redact })['gen_ai.input.messages'] ?? '')

it('a request with a record of ours is marked as compacted, and any other one is not marked', async () => {
  const all = turns(60, 1_000)
  const { messages } = await fitted(all, { window: 16_000 })
  expect(requestAttributes(messages)).toEqual({ 'gen_ai.conversation.compacted': true })
  expect(requestAttributes(all)).toEqual({})
  const types = inputOf(messages).map(({ parts }: { parts: { type: string }[] }) => parts[0]?.type)
  expect(types.slice(0, 2)).toEqual(['compaction', 'text'])
})

it('a compaction of the provider is marked, too, without what is encrypted', () => {
  const anthropic = fromAnthropic([{ role: 'assistant', content: [{ type: 'compaction', content: 'We fixed it.' }] }])
  const openai = fromOpenAIResponses([{ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' }])
  for (const messages of [anthropic, openai])
    expect(requestAttributes(messages)).toEqual({ 'gen_ai.conversation.compacted': true })
  expect(inputOf([...anthropic, ...openai])).toEqual([
    { role: 'assistant', parts: [{ type: 'compaction', content: 'We fixed it.' }] },
    { role: 'assistant', parts: [{ type: 'compaction', id: 'cmp_1' }] },
  ])
})

it('messages have the parts of the conventions, redacted, and no bytes of images', () => {
  const image = { role: 'user' as const, content: [{ type: 'image' as const, image: 'iVBO', mediaType: 'image/png' }] }
  const redact = (text: string) => text.replaceAll('hunter2', '***')
  const messages = [user('it is hunter2'), call('c1', 'bash', { command: 'login hunter2' }), result('c1', 'ok', 'bash')]
  expect(inputOf([...messages, image], redact)).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'it is ***' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'bash', arguments: { command: 'login ***' } }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'ok' }] },
    { role: 'user', parts: [{ type: 'image', mime_type: 'image/png' }] },
  ])
})

it('a message that only quotes a record does not count as one', async () => {
  const { messages } = await fitted(turns(60, 1_000), { window: 16_000 })
  const quoted = `Look at this:\n${messages[0]?.content}`
  expect(requestAttributes([user(quoted)])).toEqual({})
})
