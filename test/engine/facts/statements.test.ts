import { expect, it } from 'vitest'
import { statementsIn } from '../../../src/engine/facts/statements.ts'
import { logOf } from '../../../src/engine/view/log.ts'
import { viewOf } from '../../../src/engine/view/view-of.ts'
import type { Message } from '../../../src/model/message.ts'
import { assistant, result, user } from '../../support/messages.ts'

const onTheWay: Message = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'Let me look. I decided to cache `parse` instead of calling it for every line.' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a.ts' } },
  ],
}

it('the last word of a turn and the reasons on the way outlive it, each with its entry', () => {
  const log = logOf([
    user('Make it quick.'),
    onTheWay,
    result('a'),
    assistant('Done! The parser is four times as quick.'),
  ])
  expect(statementsIn(viewOf(log).items.slice())).toEqual([
    { kind: 'reason', seq: 2, text: 'I decided to cache `parse` instead of calling it for every line.' },
    { kind: 'answer', seq: 4, text: 'The parser is four times as quick.', asked: 1 },
  ])
})

it('an answer that is too long tells its beginning, what it found and its end', () => {
  const filler = 'This line says little of anything at all here. '.repeat(60)
  const text = `The upload works again. ${filler}The root cause was the \`retry\` of the client. ${filler}Shall I commit it?`
  const log = logOf([user('Mend it.'), assistant(text)])
  const [answer] = statementsIn(viewOf(log).items.slice())
  expect(answer?.text).toBe('The upload works again. The root cause was the `retry` of the client. Shall I commit it?')
})

it('a turn that goes on has no last word', () => {
  expect(statementsIn(viewOf(logOf([user('Make it quick.'), onTheWay, result('a')])).items.slice())).toHaveLength(1)
})
