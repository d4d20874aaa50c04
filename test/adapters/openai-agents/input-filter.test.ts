import { expect, it } from 'vitest'
import { type AgentItem, compactionFilter } from '../../../src/adapters/openai-agents/index.ts'

it('a call is forgotten behind sixteen others, also such as the filter never saw', async () => {
  const filter = compactionFilter({ window: 20_000 })
  let isRefused = true
  const model = filter.model({
    async getResponse(_request: { input: AgentItem[] }) {
      isRefused = !isRefused
      if (!isRefused)
        throw Object.assign(new Error("This model's maximum context length is 20000 tokens."), { status: 400 })
    },
    async *getStreamedResponse(_request: { input: AgentItem[] }) {},
  })
  let reads = 0
  const agent = {
    get tools() {
      reads++
      return []
    },
  }
  const said = (content: string): AgentItem[] => [Object.assign({}, { role: 'user', content })]
  await filter({ modelData: { input: said('first') }, agent })
  await model.getResponse({ input: said('first') })
  expect(reads).toBe(2)
  for (let i = 0; i < 16; i++) await model.getResponse({ input: said(`other ${i}`) })
  await model.getResponse({ input: said('first') })
  expect(reads).toBe(2)
})
