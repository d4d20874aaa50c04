import { describe, expect, it } from 'vitest'
import { indexDelta } from '../../../src/engine/facts/index-delta.ts'
import { logOf } from '../../../src/engine/view/log.ts'
import { viewOf } from '../../../src/engine/view/view-of.ts'
import type { Message } from '../../../src/model/message.ts'
import { call, result, user } from '../../support/messages.ts'

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nlet's do this as a separate PR"

describe('what the user says in the place of a result', () => {
  it.each<[string, Message[], object]>([
    [
      'why a call was refused',
      [
        call('a', 'Edit', { file_path: '/p/logger.go', old_string: 'a', new_string: 'b' }),
        result('a', REJECTED, 'Edit'),
      ],
      { text: "let's do this as a separate PR", reply: 'rejection', to: 'Edit logger.go' },
    ],
    [
      'an answer to a question',
      [
        call('a', 'AskUserQuestion', {}),
        result(
          'a',
          'User has answered your questions: "Which?"="The second". You can now continue with the user\'s answers in mind.',
          'AskUserQuestion',
        ),
      ],
      { text: '"Which?"="The second".', reply: 'answer', to: 'AskUserQuestion' },
    ],
    [
      'the word on a plan',
      [
        call('a', 'ExitPlanMode', {}),
        result('a', 'User has approved your plan. You can now start coding.', 'ExitPlanMode'),
      ],
      { text: 'approved your plan', reply: 'approval', to: 'ExitPlanMode' },
    ],
  ])('is among their words: %s', (_, messages, reply) => {
    const items = viewOf(logOf([user('Do it.'), ...messages])).items.slice()
    expect(indexDelta(items).users).toMatchObject([{ text: 'Do it.' }, { seq: 3, ...reply }])
  })

  it('is nothing where nobody said a word', () => {
    const items = viewOf(logOf([call('a', 'Edit', { file_path: 'x' }), result('a', 'ok', 'Edit')])).items.slice()
    expect(indexDelta(items).users).toBeUndefined()
  })
})
