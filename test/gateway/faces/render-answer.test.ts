import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, streamText } from 'ai'
import { describe, expect, test } from 'vitest'
import type { FaceName } from '../../../src/gateway/faces/face.ts'
import { renderCompactedHistory, renderCompactionItem } from '../../../src/gateway/faces/openai-responses-face.ts'
import type { OwnAnswer, RenderedAnswer } from '../../../src/gateway/faces/own-answer.ts'
import { responseObjects } from '../../../src/gateway/faces/protocol-parts.ts'
import { faceNamed } from '../../../src/gateway/faces/read-request.ts'

const text = 'The record:\n\n<record>“quoted” & \u2028 {"json": true}\n\ndata: not an event\n</record>'
const usage = {
  inputTokens: 1200,
  outputTokens: 340,
  cacheReadTokens: 1000,
  cacheWriteTokens: 100,
  reasoningTokens: 40,
}
const answer = { text, model: 'some-model', usage, id: 'a1', at: 1_700_000_000_000 }
const faces: readonly FaceName[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini']

describe.each(faces)('an answer of %s', (face) => {
  test('reads as its text in the client library of the provider, streamed', async () => {
    const { text: read, usage: counted, finishReason } = streamText({ model: clientOf(face, answer), prompt: 'x' })

    expect(await read).toBe(text)
    expect(await finishReason).toBe('stop')
    expect(await counted).toMatchObject({ inputTokens: 1200, outputTokens: 340 })
    expect((await counted).inputTokenDetails.cacheReadTokens).toBe(1000)
  })

  test('reads as its text in the client library of the provider, whole', async () => {
    const read = await generateText({ model: clientOf(face, answer), prompt: 'x' })

    expect(read.text).toBe(text)
    expect(read.usage).toMatchObject({ inputTokens: 1200, outputTokens: 340 })
  })

  test.each([true, false])('is read by our own reader of this protocol; isStream: %s', (isStream) => {
    const { body } = faceNamed(face).render({ ...answer, isStream })

    const read = faceNamed(face).answerOf(body, 0)

    expect(read?.message).toMatchObject({ role: 'assistant' })
    expect(JSON.stringify(read?.message?.content)).toContain(JSON.stringify(text).slice(1, -1))
    expect(read?.usage).toMatchObject({ inputTokens: 1200, outputTokens: 340, cacheReadTokens: 1000 })
  })

  test('says that it cost nothing when no model was asked', async () => {
    const read = await generateText({ model: clientOf(face, { ...answer, usage: undefined }), prompt: 'x' })

    expect(read.text).toBe(text)
    expect(read.usage).toMatchObject({ inputTokens: 0, outputTokens: 0 })
  })
})

test('a compaction item is the only item of the response, streamed and whole', () => {
  const item = { type: 'compaction', id: 'cmp_a1', encrypted_content: text }
  const streamed = responseObjects(renderCompactionItem({ ...answer, isStream: true }).body)
  const [whole] = responseObjects(renderCompactionItem({ ...answer, isStream: false }).body)
  const done = streamed.filter(({ type }) => type === 'response.output_item.done')

  expect(done.map((event) => event.item)).toEqual([item])
  expect(streamed.at(-1)).toMatchObject({ type: 'response.completed', response: { output: [item] } })
  expect(whole).toMatchObject({ status: 'completed', output: [item] })
})

test('a compacted history is one compaction item', () => {
  const [history] = responseObjects(renderCompactedHistory({ ...answer, isStream: false }).body)

  expect(history).toMatchObject({ object: 'response.compaction', output: [{ type: 'compaction' }] })
})

/** The provider's client with this answer for every request. A stream has signs of life before the answer. */
function clientOf(face: FaceName, own: Omit<OwnAnswer, 'isStream'>) {
  const settings = {
    apiKey: 'test-key',
    fetch: async (url: string | URL | Request, init?: RequestInit) => {
      const isStream = String(url).includes(':stream') || JSON.parse(String(init?.body)).stream === true
      const { render, signOfLife } = faceNamed(face)
      const { body, ...head } = render({ ...own, isStream })
      return responseOf({ ...head, body: isStream ? signOfLife.repeat(2) + body : body })
    },
  }
  switch (face) {
    case 'anthropic':
      return createAnthropic(settings)('claude-sonnet-4-5')
    case 'openai-chat':
      return createOpenAICompatible({ ...settings, name: 'x', baseURL: 'http://x.invalid', includeUsage: true })('m')
    case 'openai-responses':
      return createOpenAI(settings)('gpt-4.1')
    case 'gemini':
      return createGoogle(settings)('gemini-2.5-pro')
  }
}

function responseOf({ status, headers, body }: RenderedAnswer): Response {
  return new Response(body, { status, headers })
}
