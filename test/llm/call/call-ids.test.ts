import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withAcceptedIds } from '../../../src/llm/call/call-options.ts'
import { callsOf, type Message, resultsOf } from '../../../src/model/types.ts'

const RULES = [
  { provider: 'anthropic', kind: 'anthropic', accepts: /^[a-zA-Z0-9_-]{1,64}$/ },
  { provider: 'openai', kind: 'openai', accepts: /^[\s\S]{1,64}$/ },
  { provider: 'mistral', kind: 'openai-compatible', accepts: /^[a-zA-Z0-9]{9}$/ },
] as const

const id = fc.oneof(
  fc.constantFrom('functions.bash:0', 'call|1', 'toolu_01', 'a b', `long-${'x'.repeat(90)}`),
  fc.string({ minLength: 1 }),
)

function pair(toolCallId: string): Message[] {
  const output = { type: 'text', value: 'done' } as const
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'bash', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'bash', output }] },
  ]
}

describe.each(RULES)('the names of calls at $provider', ({ provider, kind, accepts }) => {
  it('are accepted there, the same for a call and its result, and different if they were', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 6 }), (ids) => {
        const sent = ids.flatMap(pair).map((message) => withAcceptedIds(message, { provider, kind }))
        const calls = sent.flatMap((message) => callsOf(message).map((call) => call.toolCallId))
        const results = sent.flatMap((message) => resultsOf(message).map((result) => result.toolCallId))
        expect(results).toEqual(calls)
        expect(new Set(calls).size).toBe(ids.length)
        for (const call of calls) expect(call).toMatch(accepts)
        // A name that is accepted stays as it is, or the provider's cache would be lost.
        for (const [n, given] of ids.entries()) if (accepts.test(given)) expect(calls[n]).toBe(given)
      }),
    )
  })
})

it('a provider that takes any name gets the given ones', () => {
  const [call] = pair('functions.bash:0')
  expect(call && withAcceptedIds(call, { provider: 'ollama', kind: 'openai-compatible' })).toBe(call)
})
