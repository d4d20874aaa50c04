import { expect, it } from 'vitest'
import { summaryModelOf } from '../../../src/adapters/langchain/index.ts'
import { compactMessages } from '../../../src/index.ts'
import { turns } from '../../support/messages.ts'

/** A chat model as LangChain's are, with what it was asked. */
function chatModel(fields: object) {
  const asked: { messages: unknown; signal: AbortSignal }[] = []
  async function* chunks() {
    yield { content: '## Goal\nTo get on ' }
    yield { content: [{ type: 'text', text: 'with question 1.' }] }
    yield { content: '', usage_metadata: { input_tokens: 900, output_tokens: 12 } }
  }
  const stream = async (messages: unknown, { signal }: { signal: AbortSignal }) => {
    asked.push({ messages, signal })
    return chunks()
  }
  return { ...fields, asked, stream }
}

it('a chat model writes the summary, and its tokens are counted', async () => {
  const model = chatModel({ model: 'gpt-5-mini', lc_namespace: ['langchain', 'chat_models', 'openai'] })
  const summariser = summaryModelOf(model)
  expect(summariser).toMatchObject({ name: 'openai/gpt-5-mini', window: expect.any(Number), prices: { input: 0.25 } })
  const result = await compactMessages(turns(40, 400), { window: 16_000, summaryModels: [summariser] })
  expect(result).toMatchObject({ rung: 'cold', usage: { inputTokens: 900, outputTokens: 12 } })
  expect(JSON.stringify(result.messages)).toContain('To get on with question 1.')
  expect(model.asked[0]?.messages).toMatchObject([
    ['system', expect.stringContaining('record')],
    ['user', expect.stringContaining('question 0')],
  ])
})

it('its window is the one that is given, else that of its own profile', () => {
  const profile = { maxInputTokens: 5_000 }
  expect(summaryModelOf(chatModel({ modelName: 'mine', profile }))).toMatchObject({ name: 'mine', window: 5_000 })
  expect(summaryModelOf(chatModel({ profile }), { window: 7_000 }).window).toBe(7_000)
  expect(summaryModelOf(chatModel({})).window).toBeUndefined()
})
