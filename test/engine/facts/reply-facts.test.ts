import { describe, expect, it } from 'vitest'
import { indexDelta } from '../../../src/engine/facts/index-delta.ts'
import { logOf } from '../../../src/engine/view/log.ts'
import { viewOf } from '../../../src/engine/view/view-of.ts'
import type { Message } from '../../../src/model/message.ts'
import { call, result, user } from '../../support/messages.ts'

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nlet's do this as a separate PR"

const TYPED_MEANWHILE =
  '<system-reminder>\nThe user sent a new message while you were working:\nNever touch package.json.\n\nThis is how Claude Code surfaces messages the user sends mid-turn.\n</system-reminder>'
const TOKENS_LEFT = '<system-reminder>\n<total_tokens>9 tokens left</total_tokens>\n</system-reminder>'

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
      'what was typed while a command ran',
      [call('a', 'bash', { command: 'npm test' }), result('a', `ok\n\n${TYPED_MEANWHILE}\n\n${TOKENS_LEFT}`)],
      { text: 'Never touch package.json.', reply: 'meanwhile', to: 'bash npm test' },
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
    [
      'why a call was refused, in opencode',
      [
        call('a', 'bash', { command: 'git push' }),
        result(
          'a',
          'The user rejected permission to use this specific tool call with the following feedback: Wait for the review.',
          'bash',
        ),
      ],
      { text: 'Wait for the review.', reply: 'rejection', to: 'bash git push' },
    ],
    [
      'a choice among the options of a question',
      [
        call('a', 'AskUserQuestion', {}),
        result(
          'a',
          'Your questions have been answered: "Which?"="The second". You can now continue with these answers in mind.',
          'AskUserQuestion',
        ),
      ],
      { text: '"Which?"="The second".', reply: 'answer' },
    ],
    [
      'an answer in words of their own',
      [
        call('a', 'AskUserQuestion', {}),
        result(
          'a',
          'The user answered: "Which?"="Neither, wait.". Read the answers carefully — they may request clarification, changes, or that you not proceed — and follow what they actually say.',
          'AskUserQuestion',
        ),
      ],
      { text: '"Which?"="Neither, wait.".', reply: 'answer' },
    ],
    [
      'words in the place of an answer',
      [call('a', 'AskUserQuestion', {}), result('a', 'The user responded: Ask me later.', 'AskUserQuestion')],
      { text: 'Ask me later.', reply: 'answer' },
    ],
    [
      'an answer in Codex',
      [
        call('a', 'request_user_input', {}),
        result('a', '{"answers":{"port":{"answers":["8081","user_note: not 8080"]}}}', 'request_user_input'),
      ],
      { text: '8081\nuser_note: not 8080', reply: 'answer' },
    ],
    [
      'an answer in Gemini CLI',
      [call('a', 'ask_user', {}), result('a', '{"answers":{"0":"8081"}}', 'ask_user')],
      { text: '8081', reply: 'answer' },
    ],
    [
      'an answer in qwen-code',
      [
        call('a', 'ask_user_question', {}),
        result('a', 'User has provided the following answers:\n\n**Port**: 8081', 'ask_user_question'),
      ],
      { text: '**Port**: 8081', reply: 'answer' },
    ],
    [
      'why a plan was refused in Gemini CLI',
      [
        call('a', 'exit_plan_mode', {}),
        result(
          'a',
          'Plan rejected. User feedback: Smaller steps.\n\nThe plan is stored at: /p/plan.md\nRevise the plan based on the feedback.',
          'exit_plan_mode',
        ),
      ],
      { text: 'Smaller steps.', reply: 'rejection' },
    ],
  ])('is among their words: %s', (_, messages, reply) => {
    const items = viewOf(logOf([user('Do it.'), ...messages])).items.slice()
    expect(indexDelta(items).users).toMatchObject([{ text: 'Do it.' }, { seq: 3, ...reply }])
  })

  it('is kept whole, however long it is', () => {
    const words = `Look at this first:\n${'line of a plan\n'.repeat(1_000)}and then stop.`
    const messages = [
      call('a', 'ExitPlanMode', {}),
      result('a', REJECTED.replace("let's do this as a separate PR", words), 'ExitPlanMode'),
    ]
    const items = viewOf(logOf(messages)).items.slice()
    expect(indexDelta(items).users?.[0]?.text).toBe(words)
  })

  it('sets demands as any other word of theirs does; a question is the words of the agent', () => {
    const messages = [
      call('a', 'Bash', { command: 'git commit --amend' }),
      result('a', REJECTED.replace("let's do this as a separate PR", 'please do not amend commits'), 'Bash'),
      call('b', 'AskUserQuestion', {}),
      result(
        'b',
        'Your questions have been answered: "You must never see this as a demand. Which?"="Always the second". You can now continue with these answers in mind.',
        'AskUserQuestion',
      ),
    ]
    const items = viewOf(logOf(messages)).items.slice()
    expect(indexDelta(items).constraints?.map(({ text }) => text)).toEqual([
      'please do not amend commits',
      expect.stringContaining('Always the second'),
    ])
  })

  it('is nothing where nobody said a word', () => {
    const items = viewOf(logOf([call('a', 'Edit', { file_path: 'x' }), result('a', 'ok', 'Edit')])).items.slice()
    expect(indexDelta(items).users).toBeUndefined()
  })
})
