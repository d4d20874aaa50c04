import { describe, expect, it } from 'vitest'
import { summaryModelOf } from '../../../../src/adapters/ai-sdk/index.ts'
import { compactMessages } from '../../../../src/fit/compact-messages.ts'
import { turns } from '../../../support/messages.ts'
import { PROTOCOLS } from '../../../support/model-server/index.ts'
import { sdkModel } from '../../../support/model-server/sdk-model.ts'
import { summarised } from '../../../support/summarised.ts'
import { reader } from '../world.ts'

const MESSAGES = turns(40, 800)

describe('a language model of the AI SDK as a summariser', () => {
  it.each(PROTOCOLS)('writes the summary over %s, and says what it used', async (protocol) => {
    const server = await reader(0, { window: 200_000 })
    const model = summaryModelOf(sdkModel(server, protocol))
    const result = await compactMessages(MESSAGES, { model: { contextWindow: 16_000 }, summaryModels: [model] })
    expect(result).toMatchObject({ compacted: true, rung: 'cold', model: model.name })
    expect(summarised(result).usage?.inputTokens).toBeGreaterThan(1_000)
    expect(server.violations).toEqual([])
  })

  it('is known by its provider’s name, with its window and prices', () => {
    const model = summaryModelOf('anthropic/claude-sonnet-4-5')
    expect(model.name).toBe('anthropic/claude-sonnet-4-5')
    expect(model.window).toBeGreaterThanOrEqual(200_000)
    expect(model.prices?.input).toBeGreaterThan(0)
  })

  it('fails as a value, and a digest replaces the summary', async () => {
    const server = await reader(0, { apiKey: 'another key' })
    const model = summaryModelOf(sdkModel(server, 'chat'))
    const result = await compactMessages(MESSAGES, { model: { contextWindow: 16_000 }, summaryModels: [model] })
    expect(result).toMatchObject({ compacted: true, rung: 'digest' })
  })

  it('ends when it is cancelled', async () => {
    const server = await reader(0, { faults: [{ at: 1, fault: { fault: 'silence' } }] })
    const cancel = new AbortController()
    const onEvent = (event: { type: string }) => event.type === 'rung' && queueMicrotask(() => cancel.abort())
    const summaryModels = [summaryModelOf(sdkModel(server, 'chat'))]
    const policy = { rungs: ['cold' as const] }
    const result = await compactMessages(MESSAGES, {
      model: { contextWindow: 16_000 },
      summaryModels,
      policy,
      onEvent,
      signal: cancel.signal,
    })
    expect(result.outcome).toBe('cancelled')
  })
})
