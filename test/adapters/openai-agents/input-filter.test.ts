import { expect, it } from 'vitest'
import { type AgentItem, compactionFilter } from '../../../src/adapters/openai-agents/index.ts'

/** A conversation that can be made smaller. */
function said(content: string): AgentItem[] {
  const text = 'export const value = 1\n'.repeat(120)
  const steps = Array.from({ length: 4 }, (_, i) => [
    { type: 'function_call', callId: `c${i}`, name: 'read', arguments: '{}', status: 'completed' },
    {
      type: 'function_call_result',
      callId: `c${i}`,
      name: 'read',
      status: 'completed',
      output: { type: 'text', text },
    },
  ])
  return [Object.assign({}, { role: 'user', content }), ...steps.flat()]
}

it('a call is forgotten after sixteen others, including those that the filter never saw', async () => {
  let fits = 0
  const states = { get: () => undefined, set: () => fits++ }
  const filter = compactionFilter({ window: 100_000, states })
  let isRefused = false
  const model = filter.model({
    async getResponse(_request: { input: AgentItem[] }) {
      isRefused = !isRefused
      if (isRefused) throw Object.assign(new Error('prompt is too long'), { status: 400 })
    },
    async *getStreamedResponse(_request: { input: AgentItem[] }) {},
  })
  const fitsBehind = async (others: number): Promise<number> => {
    const input = said(`behind ${others}`)
    await filter({ modelData: { input } })
    for (let i = 0; i < others; i++) await model.getResponse({ input: said(`other ${i} of ${others}`) })
    fits = 0
    await model.getResponse({ input: structuredClone(input) })
    return fits
  }
  // A list that is not known is fitted as it came before it is made smaller.
  expect([await fitsBehind(15), await fitsBehind(16)]).toEqual([1, 2])
})
