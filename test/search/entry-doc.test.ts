import { expect, it } from 'vitest'
import type { Entry, Message } from '../../src/model/types.ts'
import { isLookUp } from '../../src/search/entry-doc.ts'
import { assistant, user } from '../support/messages.ts'

const every = { id: 'a', seq: 1, at: 0 }
const said = (message: Message): Entry => ({ ...every, type: 'message', message })

function called(...names: readonly string[]): Entry {
  return said({
    role: 'assistant',
    content: names.map((toolName) => ({ type: 'tool-call', toolCallId: toolName, toolName, input: {} })),
  })
}

function answered(...names: readonly string[]): Entry {
  const output = { type: 'text', value: 'found' } as const
  return said({
    role: 'tool',
    content: names.map((toolName) => ({ type: 'tool-result', toolCallId: toolName, toolName, output })),
  })
}

it.each([called, answered])('a look-up is a message of nothing but recall, as any agent calls it: %o', (of) => {
  expect(isLookUp(of('recall'))).toBe(true)
  expect(isLookUp(of('mcp__pith_recall', 'recall'))).toBe(true)
  // Copilot CLI's name for it.
  expect(isLookUp(of('pith-recall'))).toBe(true)
  expect(isLookUp(of('recall', 'bash'))).toBe(false)
  expect(isLookUp(of('recalls'))).toBe(false)
  expect(isLookUp(of('total_recall_'))).toBe(false)
})

it('a message that calls nothing is not a look-up', () => {
  expect(
    [said(user('recall')), said(assistant('recall')), { ...every, type: 'undo', of: 1 } as const].map(isLookUp),
  ).toEqual([false, false, false])
})
