import { expect, test } from 'vitest'
import { logOf } from '../../src/engine.ts'
import { searchLog } from '../../src/mcp/recall-tool.ts'

test('a search finds where something was said, and no earlier search for it', () => {
  const call = { toolCallId: 'a', toolName: 'mcp__pith__recall' }
  const log = logOf([
    { role: 'user', content: 'The deploy-token is "k-77"' },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { query: 'deploy-token' } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'the deploy-token …' } }],
    },
  ])

  expect(searchLog(log, 'deploy-token', 10).map(({ seq }) => seq)).toEqual([1])
})
