import type { ChatModel, ModelCall, ModelEvent } from '../../../src/llm/call/chat-model.ts'
import { type OpenModelDeps, openModel } from '../../../src/llm/open-model.ts'
import { loadRegistry } from '../../../src/models/registry.ts'
import type { Protocol } from './protocols.ts'

export const KEY = 'k3y-of-nobody-0123456789'

/** A model of a protocol's provider on a local server, that waits for nothing between attempts. */
export function modelAt(url: string, protocol: Protocol, deps: Partial<OpenModelDeps> = {}, model = 'some-model') {
  const opened = openModel(`${protocol.provider}/${model}`, {
    registry: loadRegistry(),
    env: {},
    providers: {
      [protocol.provider]: { baseUrl: `${url}/${protocol.kind === 'google' ? 'v1beta' : 'v1'}`, apiKey: KEY },
    },
    random: () => 1,
    sleep: async () => {},
    ...deps,
  })
  if ('unusable' in opened) throw new Error(opened.text)
  return opened
}

export const CALL: ModelCall = { system: ['Be brief.'], messages: [{ role: 'user', content: 'Hello' }] }

/** All events of a call. */
export async function ask(model: ChatModel, call: ModelCall = CALL): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream(call)) events.push(event)
  return events
}

/** The last event of a call that is to be a `finish`. */
export async function finishOf(model: ChatModel, call: ModelCall = CALL) {
  const last = (await ask(model, call)).at(-1)
  if (last?.type !== 'finish') throw new Error(`not finished: ${JSON.stringify(last)}`)
  return last
}

/** The failure that a call ends with. */
export async function failureOf(model: ChatModel, call: ModelCall = CALL) {
  const last = (await ask(model, call)).at(-1)
  if (last?.type !== 'failed') throw new Error(`not failed: ${JSON.stringify(last)}`)
  return last.failure
}
