import { describe, expect, it } from 'vitest'
import { type OpenModelDeps, openModel } from '../../src/llm/open-model.ts'
import { asSummaryModel, summaryModelsFor } from '../../src/llm/summary-models-for.ts'
import type { ModelChunk, ModelInfo } from '../../src/model/types.ts'
import { registryOf } from '../../src/models/registry.ts'
import { KEY, modelAt } from './support/ask.ts'
import { compatible, PROTOCOLS } from './support/protocols.ts'
import { events, fails, serve } from './support/server.ts'

const MODELS: readonly ModelInfo[] = [
  { provider: 'xai', model: 'grok-9', contextWindow: 500_000, prices: { input: 5, output: 20 }, tier: 'strong' },
  { provider: 'xai', model: 'grok-9-mini', contextWindow: 100_000, prices: { input: 1, output: 4 }, tier: 'standard' },
  { provider: 'groq', model: 'llama', contextWindow: 8_000 },
]
const deps: OpenModelDeps = { registry: registryOf(MODELS), env: { XAI_API_KEY: KEY } }

describe('who writes the summary', () => {
  const main = open('xai/grok-9')

  it('is the session’s own model', () => {
    expect(names('main')).toEqual(['xai/grok-9'])
  })

  it('is the cheaper one of its provider, then its own', () => {
    expect(names('standard')).toEqual(['xai/grok-9-mini', 'xai/grok-9'])
    expect(names('cheap')).toEqual(names('standard'))
  })

  it('is the one that the policy names, then its own', () => {
    expect(names('xai/grok-9-mini')).toEqual(['xai/grok-9-mini', 'xai/grok-9'])
    expect(names('xai/grok-9')).toEqual(['xai/grok-9'])
  })

  it('is its own alone if the named one cannot be asked, and the reason is given', () => {
    const choice = summaryModelsFor('groq/llama', main, deps)
    expect(choice.models.map((model) => model.name)).toEqual(['xai/grok-9'])
    expect(choice.unusable?.text).toContain('set GROQ_API_KEY')
  })

  function names(wanted: string): string[] {
    return summaryModelsFor(wanted, main, deps).models.map((model) => model.name)
  }
})

describe('a model for summaries', () => {
  it('has a window, so that the engine can chunk, and prices', () => {
    expect(asSummaryModel(open('xai/grok-9-mini'))).toMatchObject({ window: 100_000, prices: { input: 1, output: 4 } })
    expect(asSummaryModel(open('xai/of-nobody')).window).toBeUndefined()
  })

  it('takes no more than its provider takes as input', () => {
    const model = open('xai/grok-9')
    expect(asSummaryModel({ ...model, info: { ...model.info, maxInput: 300_000 } }).window).toBe(300_000)
  })

  it.each(PROTOCOLS)('over $kind gives text, finish and usage, and asks within the limit', async (protocol) => {
    const { url, received } = await serve(events(protocol.answer({ reasoning: 'hm', text: 'What was done.' })))
    const chunks = await summarise(url, protocol)
    expect(chunks.filter((chunk) => typeof chunk === 'object' && chunk.type === 'text')).toHaveLength(2)
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason: 'stop', usage: { inputTokens: 100, outputTokens: 10 } })
    expect(received[0]?.text).toMatch(/"(max_tokens|max_output_tokens|maxOutputTokens)":8777/)
  })

  it.each([
    ['asks for no more than the window leaves', 18_000, undefined, 1_024],
    ['counts what may leave too little for all of its answer', 1, 18_000, 8_777],
    ['asks for all of it where what was counted surely leaves the room', 18_000, 2_000, 8_777],
  ])('%s', async (_, words, mostTokens, asked) => {
    const { url, received } = await serve(events(compatible.answer({ text: 'What was done.' })))
    const model = modelAt(url, compatible)
    const { stream } = asSummaryModel({ ...model, info: { ...model.info, contextWindow: 16_000, maxOutput: 12_000 } })
    const messages = [{ role: 'user' as const, content: 'word '.repeat(words) }]
    const request = { system: 'S', messages, maxOutputTokens: 777, mostTokens }
    for await (const _chunk of stream(request, new AbortController().signal));
    expect(JSON.parse(received[0]?.text ?? '').max_tokens).toBe(asked)
  })

  it('gives a call of a tool and a failure as such', async () => {
    const calling = await serve(events(compatible.answer({ calls: [{ id: 'a', name: 'read', input: '{}' }] })))
    expect(await summarise(calling.url, compatible)).toContainEqual({ type: 'tool-call', name: 'read' })
    const failing = await serve(fails(400, { error: { message: 'no' } }))
    expect(await summarise(failing.url, compatible)).toEqual([{ type: 'error', error: 'deepseek: no (HTTP 400)' }])
  })
})

function open(name: string) {
  const opened = openModel(name, deps)
  if ('unusable' in opened) throw new Error(opened.text)
  return opened
}

async function summarise(url: string, protocol: (typeof PROTOCOLS)[number]): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = []
  const request = { system: 'S', messages: [{ role: 'user' as const, content: 'U' }], maxOutputTokens: 777 }
  const { stream } = asSummaryModel(modelAt(url, protocol))
  for await (const chunk of stream(request, new AbortController().signal)) chunks.push(chunk)
  return chunks
}
