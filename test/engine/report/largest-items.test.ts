import { expect, it } from 'vitest'
import { openContext } from '../../../src/engine/context/open-context.ts'
import { largestItems } from '../../../src/engine/report/item-names.ts'
import { charactersByFour, logOf, type Message } from '../../../src/engine.ts'

const MESSAGES: Message[] = [
  { role: 'user', content: 'x'.repeat(40) },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a.ts' } }],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'y'.repeat(800) } },
    ],
  },
  { role: 'user', content: 'z'.repeat(40) },
]

it('the largest come first, each by its name, and of two that are alike the earlier one', () => {
  const context = openContext(logOf(MESSAGES), { estimator: charactersByFour })
  expect(largestItems(context, 2, 6)).toEqual([
    { seq: 3, name: 'read a…', tokens: 200 },
    { seq: 1, name: 'user: xxxxxx…', tokens: 10 },
  ])
})
