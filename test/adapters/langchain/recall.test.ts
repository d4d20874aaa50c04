import { expect, it } from 'vitest'
import { compactionMiddleware, recall } from '../../../src/adapters/langchain/index.ts'
import { Chain, chainList } from './chain.ts'

it('the tool reads what was said from the agent’s state, and records promise it if the agent has it', async () => {
  const messages = chainList(30)
  const sent = async (tools: readonly unknown[]) => {
    const { beforeModel, wrapModelCall } = compactionMiddleware({ window: 20_000 })
    const { pithState } = await beforeModel({ messages })
    const state = { messages, pithState }
    return {
      state,
      text: JSON.stringify(await wrapModelCall({ messages, tools, state }, (request) => request.messages)),
    }
  }
  const [execute, fields] = recall
  expect((await sent([])).text).not.toContain('recall')
  const { state, text } = await sent([fields])
  const [, handle] = text.match(/recall (#\d+)/) ?? []
  expect(handle).toBeDefined()
  expect(await execute({ handles: handle }, { state })).toMatch(/export const value\d+ = \d+\nexport const/)
  expect(await execute({ search: 'value7 =' }, { state })).toMatch(/^#\d+ \(tool, read/)
  expect(await execute({ handles: '#1' }, {})).toBe('Nothing is known of this conversation yet.')
  expect(await execute({ handles: '#1' }, { state: { messages: [new Chain({ content: 'hello' })] } })).toContain(
    'hello',
  )
})
