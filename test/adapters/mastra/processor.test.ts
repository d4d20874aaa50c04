import { expect, it } from 'vitest'
import { compactionProcessor } from '../../../src/adapters/mastra/index.ts'

type PromptMessage = { role: 'system' | 'user' | 'assistant' | 'tool'; content: unknown }

const prompt: PromptMessage[] = [
  { role: 'system', content: 'You read files.' },
  { role: 'user', content: [{ type: 'text', text: 'Read all files.' }] },
  ...Array.from({ length: 30 }, (_, i): PromptMessage[] => {
    const call = { toolCallId: `c${i}`, toolName: 'read' }
    const value = `export const value${i} = ${i}\n`.repeat(120)
    return [
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: `f${i}.ts` } }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value } }] },
    ]
  }).flat(),
]
const context = () => ({ get: () => undefined })

it('its `recall` reads what was compacted in the same run, and in no other', async () => {
  const pith = compactionProcessor({ window: 20_000 })
  const { execute } = pith.recall
  const requestContext = context()
  const { prompt: sent } = await pith.processLLMRequest({ prompt, requestContext })
  expect(JSON.stringify(sent)).toContain('recall #')
  expect(await execute({ handles: '#3' }, { requestContext })).toContain('export const value0 = 0')
  expect(await execute({ handles: '#3' }, { requestContext: context() })).toContain('does not know this conversation')
})

it('promises no `recall` to an agent that was not given it', async () => {
  const { prompt: sent } = await compactionProcessor({ window: 20_000 }).processLLMRequest({ prompt })
  expect(JSON.stringify(sent)).not.toContain('recall')
})

it('promises a `recall` that was taken, even if other tools were named', async () => {
  const tools = [{ name: 'read', description: 'Reads a file.', inputSchema: {} }]
  const pith = compactionProcessor({ window: 20_000, tools })
  expect(pith.recall.id).toBe('recall')
  const { prompt: sent } = await pith.processLLMRequest({ prompt })
  expect(JSON.stringify(sent)).toContain('recall #')
})

it('sends a run again by its own size, whatever another run has sent meanwhile', async () => {
  const pith = compactionProcessor({ window: 100_000 })
  const [large, small] = [context(), context()]
  await pith.processLLMRequest({ prompt, requestContext: large })
  await pith.processLLMRequest({ prompt: prompt.slice(0, 2), requestContext: small })
  const error = Object.assign(new Error('Your input exceeds the context window of this model.'), { status: 400 })
  expect(await pith.processAPIError({ error, retryCount: 0, requestContext: large })).toEqual({ retry: true })
  const { prompt: again } = await pith.processLLMRequest({ prompt, requestContext: large })
  expect(JSON.stringify(again).length).toBeLessThan(JSON.stringify(prompt).length)
  expect(JSON.stringify(again).length).toBeGreaterThan(JSON.stringify(prompt).length / 6)
})
