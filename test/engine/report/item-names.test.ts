import { describe, expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { callTarget, itemNames, withoutFolder } from '../../../src/engine/report/item-names.ts'
import type { Message } from '../../../src/model/types.ts'

describe('the names of items', () => {
  it('are those of the call for a result, and the first words for a message', () => {
    const messages: Message[] = [
      { role: 'user', content: 'mend the\nupload' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: '1', toolName: 'bash', input: { command: 'npm test' } }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: '1', toolName: 'bash', output: { type: 'text', value: 'ok' } }],
      },
    ]
    const { items } = viewOf(logOf(messages))
    const all = items.slice()
    expect(itemNames(all)).toEqual(['user: mend the upload', 'call of bash npm test', 'bash npm test'])
  })

  it('are that of the tool for a result whose call is gone', () => {
    const output = { type: 'text' as const, value: 'ok' }
    const result = { type: 'tool-result' as const, toolCallId: '1', toolName: 'bash', output }
    const message: Message = { role: 'tool', content: [result] }
    expect(itemNames([{ kind: 'message', seq: 1, place: 1, message, pinned: false }])).toEqual(['bash'])
  })

  it.each<[unknown, string]>([
    [{ command: 'npm test', path: 'a.ts' }, 'npm test'],
    [{ cmd: ['git', 'status'] }, 'git status'],
    [{ pattern: 'upload', path: 'src' }, 'upload in src'],
    [{ pattern: '*.ts' }, '*.ts'],
    [{ file_path: 'a.ts', content: 'x' }, 'a.ts'],
    [{ search: 'upload' }, 'upload'],
    [{ text: 'a note' }, 'a note'],
    [{ todos: [{}, {}] }, '2 to-dos'],
    [{ depth: 2 }, '{"depth":2}'],
    [{}, ''],
  ])('of the call with %j is what it is about', (input, target) => {
    expect(callTarget(input)).toBe(target)
  })
})

it('a name has neither the folder of the session nor the way into it', () => {
  expect(withoutFolder('bash cd /repo && cat /repo/src/a.ts', '/repo')).toBe('bash cat src/a.ts')
  expect(withoutFolder('bash cd /other && ls', '/repo')).toBe('bash cd /other && ls')
  expect(withoutFolder('read /repo/a.ts', undefined)).toBe('read /repo/a.ts')
})
