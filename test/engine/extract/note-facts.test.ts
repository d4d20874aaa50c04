import { expect, test } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { extendView, viewOf } from '../../../src/engine/context/view/view-of.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { noteFacts } from '../../../src/engine/extract/note-facts.ts'
import type { Message } from '../../../src/model/message/message.ts'
import type { View } from '../../../src/model/view.ts'

const call = (id: string, command: string): Message => ({
  role: 'assistant',
  content: [
    { type: 'text', text: `I run it for \`readSettings\`.` },
    { type: 'tool-call', toolCallId: id, toolName: 'bash', input: { command } },
  ],
})

const result = (id: string, value: string): Message => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: 'bash', output: { type: 'text', value } }],
})

const said: Message[] = [
  { role: 'user', content: 'Never touch port 8080.' },
  call('a', 'npm test > out.txt'),
  result('a', 'Exit code 1\nError: no such file'),
  // The same id again: the facts that were noted are those of the call before.
  call('a', 'cat src/plan.ts'),
  result('a', 'fine'),
]

test('facts that were noted as the messages came are those that a look through all of them finds', () => {
  const looked = indexDelta(viewOf(logOf(structuredClone(said))).items.slice())
  const log = logOf(said)
  let view: View = viewOf([])
  for (const entry of log) {
    view = extendView(view, entry, log)
    noteFacts(view.items)
  }
  expect(indexDelta(view.items.slice())).toEqual(looked)
  expect(looked.commands?.map(({ command }) => command)).toEqual(['npm test > out.txt', 'cat src/plan.ts'])
})

test('facts of a message that stands elsewhere in another log have the place of that one', () => {
  const log = logOf(said)
  let view: View = viewOf([])
  for (const entry of log) {
    view = extendView(view, entry, log)
    noteFacts(view.items)
  }
  const later = log.map((entry) => ({ ...entry, seq: entry.seq + 100 }))
  const { users, commands } = indexDelta(viewOf(later).items.slice())
  expect(users?.map(({ seq }) => seq)).toEqual([101])
  expect(commands?.map(({ seq }) => seq)).toEqual([102, 104])
})
