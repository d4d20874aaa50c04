import { expect, test } from 'vitest'
import { agentTrigger } from '../../../src/gateway/modes/mode.ts'

test("an agent whose compactions are answered compacts at the policy's trigger, with room for its prompt and tools", () => {
  expect(agentTrigger('answer', { mode: 'auto', triggerMaxTokens: 80_000 })).toBe(100_000)
})

test('an agent compacts when it wants if Pith does that for it, only observes, or is to ask', () => {
  expect(agentTrigger('rewrite', { mode: 'auto', triggerMaxTokens: 80_000 })).toBeUndefined()
  expect(agentTrigger('observe', { mode: 'auto', triggerMaxTokens: 80_000 })).toBeUndefined()
  expect(agentTrigger('answer', { mode: 'ask', triggerMaxTokens: 80_000 })).toBeUndefined()
})
