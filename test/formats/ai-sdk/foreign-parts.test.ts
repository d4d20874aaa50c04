import { describe, expect, it } from 'vitest'
import { fromModelMessages, toModelMessages } from '../../../src/formats/index.ts'
import type { Message } from '../../../src/model/types.ts'

function answered(output: object): Message {
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'bash', output } as never] }
}

describe('a message of the AI SDK', () => {
  it.each([
    { type: 'text', value: 'done' },
    { type: 'json', value: { done: true } },
    { type: 'content', value: [{ type: 'text', text: 'done' }] },
    { type: 'error-text', value: 'Error: it broke' },
    { type: 'error-json', value: { error: 'it broke' } },
    { type: 'execution-denied', reason: 'not now' },
  ])('stays as it is with a result of the kind $type, so that we read it', (output) => {
    expect(fromModelMessages([answered(output)])).toEqual([answered(output)])
  })

  it('carries a result and a part of a kind that we do not know, and comes back as it was', () => {
    const messages = [
      { role: 'user', content: [{ type: 'hologram', data: 'x' }] },
      answered({ type: 'hologram', value: 'y' }),
    ] as Message[]
    const ours = fromModelMessages(messages)
    expect(ours).toMatchObject([
      { content: [{ type: 'custom' }] },
      { content: [{ toolCallId: 'c', toolName: 'bash' }] },
    ])
    expect(toModelMessages(ours)).toEqual(messages)
  })
})
