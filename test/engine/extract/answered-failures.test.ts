import { expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { factsIn } from '../../../src/engine/extract/index-delta.ts'
import type { AssistantMessage, Message } from '../../../src/model/types.ts'
import { assistant, result, user } from '../../support/messages.ts'

function says(text: string, id: string, command: string): AssistantMessage {
  return {
    role: 'assistant',
    content: [
      { type: 'text', text },
      { type: 'tool-call', toolCallId: id, toolName: 'bash', input: { command } },
    ],
  }
}
const failed = (id: string, text: string) => result(id, `${text}\nexit code: 1`, 'bash')
const errorsIn = (...messages: Message[]) => factsIn(viewOf(logOf(messages)).items.slice()).errors ?? []

it('a failure has the words that the agent said to it next, at most twice', () => {
  const errors = errorsIn(
    user('Build it.'),
    says('I build it.', 'a', 'npm run build'),
    failed('a', 'error TS1: no `leaseOf`'),
    says('The package is an old one. Let me check.', 'b', 'grep lease'),
    result('b', 'found\nexit code: 0', 'bash'),
    says('It comes from `core`, which has to be built first.', 'c', 'npm run build -w core'),
    result('c', 'ok\nexit code: 0', 'bash'),
    says('Nobody had built it.', 'd', 'npm run build'),
    result('d', 'ok\nexit code: 0', 'bash'),
  )
  expect(errors.map(({ said }) => said)).toEqual([
    [
      { seq: 4, text: 'The package is an old one.' },
      { seq: 6, text: 'It comes from `core`, which has to be built first.' },
    ],
  ])
})

it('a remark after another failure is about that one, and the last word of a turn is about none', () => {
  const errors = errorsIn(
    user('Start it.'),
    says('I start it.', 'a', 'run --into x'),
    failed('a', 'error: unexpected argument --into'),
    says('The flag is called `--to` here.', 'b', 'run --to x'),
    failed('b', 'error: x is taken'),
    assistant('It does not start, because `x` is taken. Shall I take another name?'),
  )
  expect(errors.map(({ said }) => said?.map(({ text }) => text))).toEqual([
    ['The flag is called `--to` here.'],
    undefined,
  ])
})

it('a call that its client cancelled did not run: it is neither a command nor an error', () => {
  const cancelled = '<tool_use_error>Cancelled: parallel tool call Bash(npm test) errored</tool_use_error>'
  const facts = factsIn(
    viewOf(
      logOf([user('Check it.'), says('I check it.', 'a', 'npm run lint'), result('a', cancelled, 'bash')]),
    ).items.slice(),
  )
  expect([facts.commands ?? [], facts.errors ?? []]).toEqual([[], []])
})
