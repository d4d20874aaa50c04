import { describe, expect, it } from 'vitest'
import { compactLog } from '../../../src/cli/compaction/compact-log.ts'
import { logOf, type Message, requestOf, validate, viewOf } from '../../../src/engine.ts'

describe('a compaction at a place that the user names', () => {
  const steps = Array.from({ length: 12 }, (_, i) => step(i)).flat()

  it.each([7, 8, 9, 17, 25])('leaves a request that every provider takes, before message %i', async (at) => {
    // The call in message 20 never got a result, as in a session that was interrupted.
    const log = logOf(steps.filter((_, i) => i !== 20))
    const { after, result } = await compactLog(log, {
      flags: { at: String(at) },
      model: {},
      policy: {},
      writers: { models: [] },
      signal: new AbortController().signal,
      onEvent: () => {},
    })
    expect(result.outcome).toBe('compacted')
    expect(validate(requestOf(viewOf(after)).messages)).toEqual([])
    expect(result.messages).toEqual(
      viewOf(after)
        .items.slice()
        .map(({ message }) => message),
    )
  })
})

function step(i: number): Message[] {
  const toolCallId = `c${i}`
  return [
    { role: 'user', content: `Please do step ${i}.` },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId, toolName: 'bash', input: { command: `step ${i}` } }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId, toolName: 'bash', output: { type: 'text', value: 'done '.repeat(200) } },
      ],
    },
  ]
}
