import { isStepCount, type ModelMessage, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { type ContextEvent, contextManager, createSession } from '../../../src/adapters/ai-sdk/index.ts'
import { turns } from '../../support/messages.ts'
import { isSummarising } from '../../support/model-server/index.ts'
import { sdkModel } from '../../support/model-server/sdk-model.ts'
import { reader, TOOLS, WINDOW } from './world.ts'

/** Far less than the minutes after which a summariser is given up, and enough for a busy machine. */
const SOON_MS = 20_000
const MESSAGES = turns(30, 2_400) as ModelMessage[]

/** A provider that answers no request for a summary. */
const silent = (pages: number) =>
  reader(pages, { faults: [{ when: (request) => isSummarising(request), fault: { fault: 'silence' } }] })

/** Ends the run as soon as a summary has been asked for, and says how long that took. */
async function endedAfter(run: (stop: AbortController, onEvent: (event: ContextEvent) => void) => Promise<unknown>) {
  const stop = new AbortController()
  let askedAt: number | undefined
  const onEvent = (event: ContextEvent) => {
    if (event.type !== 'rung' || (event.rung !== 'cold' && event.rung !== 'warm')) return
    askedAt ??= performance.now()
    setImmediate(() => stop.abort())
  }
  await run(stop, onEvent).catch((error: unknown) => error)
  expect(askedAt).toBeDefined()
  return performance.now() - (askedAt ?? 0)
}

describe('an abort while a summary is written', () => {
  it('ends a run whose manager has the signal, at its first step', async () => {
    const server = await silent(0)
    const took = await endedAfter(async (stop, onEvent) => {
      const { prepareStep } = contextManager({ window: WINDOW, signal: stop.signal, onEvent })
      const abortSignal = stop.signal
      await streamText({
        model: sdkModel(server, 'chat'),
        messages: MESSAGES,
        prepareStep,
        abortSignal,
      }).consumeStream()
    })
    expect(took).toBeLessThan(SOON_MS)
    expect(server.steps()).toBe(0)
  })

  it('ends a run by its own signal from the second step on', async () => {
    const server = await silent(60)
    const took = await endedAfter(async (stop, onEvent) => {
      const { prepareStep } = contextManager({ window: WINDOW, onEvent })
      await streamText({
        model: sdkModel(server, 'chat'),
        tools: TOOLS,
        prompt: 'Read the book.',
        stopWhen: isStepCount(40),
        prepareStep,
        abortSignal: stop.signal,
      }).consumeStream()
    })
    expect(took).toBeLessThan(SOON_MS)
    expect(server.steps()).toBeGreaterThan(3)
  })

  it('ends a run of a session, and leaves its context as it was', async () => {
    const server = await silent(0)
    const model = sdkModel(server, 'chat')
    const took = await endedAfter(async (stop, onEvent) => {
      const session = await createSession({ model, window: WINDOW, signal: stop.signal, onEvent })
      await session.append(MESSAGES)
      const before = session.messages()
      const { prepareStep } = session
      await streamText({ model, messages: before, prepareStep, abortSignal: stop.signal }).consumeStream()
      expect(session.messages()).toEqual(before)
      await session.close()
    })
    expect(took).toBeLessThan(SOON_MS)
  })
})
