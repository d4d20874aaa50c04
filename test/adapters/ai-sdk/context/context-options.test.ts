import { streamText } from 'ai'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type ContextEvent, contextManager, createSession } from '../../../../src/adapters/ai-sdk/index.ts'
import { sdkModel } from '../../../support/model-server/sdk-model.ts'
import { reader, TOOLS } from '../world.ts'

const WARNING = {
  type: 'warning',
  about: 'window',
  text: 'the context window of pith-test/pith-test is not known, so nothing is compacted before it is full: set the option window',
}

it('an unknown window causes one warning, however many steps there are', async () => {
  const server = await reader(4)
  const events: ContextEvent[] = []
  const { prepareStep } = contextManager({ onEvent: (event) => events.push(event) })
  const model = sdkModel(server, 'chat')
  await streamText({ model, tools: TOOLS, prompt: 'Read.', prepareStep }).consumeStream()
  await streamText({ model, tools: TOOLS, prompt: 'Read on.', prepareStep }).consumeStream()
  expect(events).toEqual([WARNING])
})

it('a session warns about it too, and prints the warning if there is no listener', async () => {
  const server = await reader(0)
  const events: ContextEvent[] = []
  const model = sdkModel(server, 'chat')
  await (await createSession({ model, onEvent: (event) => events.push(event) })).close()
  expect(events).toEqual([WARNING])
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  await (await createSession({ model })).close()
  expect(warn.mock.calls).toEqual([[`pith: ${WARNING.text}`]])
})

it('no warning comes if the window is given, or nothing is compacted by itself', async () => {
  const server = await reader(0)
  const events: ContextEvent[] = []
  const onEvent = (event: ContextEvent) => events.push(event)
  const model = sdkModel(server, 'chat')
  await (await createSession({ model, window: 8_000, onEvent })).close()
  await (await createSession({ model, policy: { mode: 'off' }, onEvent })).close()
  expect(events).toEqual([])
})

it('an invalid window is refused when the manager is made', () => {
  for (const window of [-1, 0, Number.NaN, '16000' as unknown as number])
    expect(() => contextManager({ window })).toThrow(
      `window: the context window of the model in tokens is needed, and it is ${window}`,
    )
})
