import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainlyValid, problemsByRule } from '../../../../src/engine/context/view/validate.ts'
import { Items } from '../../../../src/model/items.ts'
import type { AssistantPart, Message, ToolPart } from '../../../../src/model/types.ts'
import { history } from '../../../support/arbitrary-history.ts'
import { full } from '../../../support/full.ts'

const id = fc.constantFrom('a', 'b', 'c')
const text = fc.constantFrom('said', 'said', ' ', '')
const result = id.map(
  (toolCallId): ToolPart => ({
    type: 'tool-result',
    toolCallId,
    toolName: 'read',
    output: { type: 'text', value: '' },
  }),
)
const call = fc.record({ toolCallId: id, hosted: fc.boolean() }).map(({ toolCallId, hosted }): AssistantPart => {
  const part = { type: 'tool-call', toolCallId, toolName: 'read', input: {} } as const
  return hosted ? { ...part, providerExecuted: true } : part
})
const said = text.map((value): AssistantPart => ({ type: 'text', text: value }))
const thought = fc.record({ value: text, signed: fc.boolean() }).map(({ value, signed }): AssistantPart => {
  const part = { type: 'reasoning', text: value } as const
  return signed ? { ...part, providerOptions: { anthropic: { signature: 'c2ln' } } } : part
})
const assistantPart = fc.oneof(call, said, thought, result as fc.Arbitrary<AssistantPart>)
/** Few ids and few parts: calls meet their results by chance. */
const message: fc.Arbitrary<Message> = fc.oneof(
  text.map((content): Message => ({ role: 'user', content })),
  fc.array(assistantPart, { maxLength: 3 }).map((content): Message => ({ role: 'assistant', content })),
  fc.array(result, { maxLength: 2 }).map((content): Message => ({ role: 'tool', content })),
)

describe('a plainly valid list', () => {
  it('breaks no rule', () => {
    let valid = 0
    const check = (messages: readonly Message[], pending: 'allowed' | 'refused') => {
      const items = messages.map((one, seq) => ({ seq, message: one }))
      const problems = problemsByRule(items, { pending })
      if (!plainlyValid(items, { pending })) return
      valid++
      expect(problems).toEqual([])
    }
    const pending = fc.constantFrom('allowed' as const, 'refused' as const)
    const runs = full ? 50_000 : 1_000
    fc.assert(fc.property(fc.array(message, { maxLength: 5 }), pending, check), { numRuns: runs })
    expect(valid).toBeGreaterThan(runs / 20)
    fc.assert(fc.property(history, pending, check), { numRuns: Math.ceil(runs / 30) })
  })

  it('is found in a view that grows as in a list, whatever was looked at before', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
        let items = Items.of()
        for (const [i, one] of messages.entries()) {
          items = items.append({ kind: 'message', seq: i + 1, place: i + 1, message: one, pinned: false })
          expect(items.isPlainlyValid).toBe(plainlyValid(items.slice(), { pending: 'allowed' }))
        }
      }),
      { numRuns: full ? 2_000 : 100 },
    )
  })
})
