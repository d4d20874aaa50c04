import { describe, expect, it } from 'vitest'
import { messagesOf, viewOf } from '../../../src/engine.ts'
import { outputText, resultsOf, textOf } from '../../../src/model/types.ts'
import { decoded } from '../fixture.ts'

describe('an entry of pi that was edited later', () => {
  it('says to the model what the last edit puts in its place', () => {
    expect(said(edit('e1', 'a2', 'First.'), edit('e2', 'e1', [{ type: 'text', text: '[12 lines left out]' }]))).toEqual(
      ['user: Look.', 'assistant: ', 'tool: [12 lines left out]', 'assistant: Done.'],
    )
  })

  it('says nothing when it was edited away', () => {
    const gone = { type: 'context_edit', id: 'e1', parentId: 'a2', targetId: 'a2', replacement: null }
    expect(said(gone)).toEqual(['user: Look.', 'assistant: ', 'tool: one\ntwo'])
    expect(said({ ...gone, targetId: 'r1' })).toEqual(['user: Look.', 'assistant: ', 'assistant: Done.'])
  })

  it('is as it was on a branch without the edit', () => {
    const other = { type: 'message', id: 'u2', parentId: 'a2', message: { role: 'user', content: 'And now?' } }
    expect(said(edit('e1', 'a2', '[left out]'), other)).toContain('tool: one\ntwo')
  })
})

const CALL = { type: 'toolCall', id: 't1', name: 'bash', arguments: { command: 'ls' } }
const SESSION = [
  { type: 'session', version: 3, id: 's1', cwd: '/repo' },
  { type: 'message', id: 'u1', parentId: null, message: { role: 'user', content: 'Look.' } },
  { type: 'message', id: 'a1', parentId: 'u1', message: { role: 'assistant', content: [CALL] } },
  {
    type: 'message',
    id: 'r1',
    parentId: 'a1',
    message: { role: 'toolResult', toolCallId: 't1', toolName: 'bash', content: [{ type: 'text', text: 'one\ntwo' }] },
  },
  {
    type: 'message',
    id: 'a2',
    parentId: 'r1',
    message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  },
]

function edit(id: string, parentId: string, content: unknown): object {
  return { type: 'context_edit', id, parentId, targetId: 'r1', replacement: { content } }
}

function said(...lines: readonly object[]): string[] {
  const { entries } = decoded([...SESSION, ...lines].map((line) => JSON.stringify(line)).join('\n'))
  return messagesOf(viewOf(entries)).map((message) => {
    const results = resultsOf(message).map(({ output }) => outputText(output))
    return `${message.role}: ${textOf(message)}${results.join()}`
  })
}
