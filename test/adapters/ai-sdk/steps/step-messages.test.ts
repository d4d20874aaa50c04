import type { ModelMessage } from 'ai'
import { expect, it } from 'vitest'
import { runMessages } from '../../../../src/adapters/ai-sdk/steps/step-messages.ts'

it('messages that arrived while a step ran come after what the step said', () => {
  const asked: ModelMessage = { role: 'user', content: 'Read the book.' }
  const said: ModelMessage = { role: 'assistant', content: 'I read.' }
  const steering = { role: 'user', content: 'Stop at page 3.' } as const
  const step = {
    model: 'test/model',
    steps: [],
    initialMessages: [asked],
    responseMessages: [said],
    messages: [asked, said, steering],
    initialInstructions: undefined,
  }
  expect(runMessages({ ...step, experimental_steeringMessages: [steering] })).toEqual([asked, said, steering])
  expect(runMessages({ ...step, messages: [asked, said] })).toEqual([asked, said])
})
