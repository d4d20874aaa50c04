import { describe, expect, it } from 'vitest'
import { indexDelta } from '../../../../src/engine/facts/index-delta.ts'
import { digest } from '../../../../src/engine/record/digest/digest.ts'
import { logOf } from '../../../../src/engine/view/log.ts'
import { viewOf } from '../../../../src/engine/view/view-of.ts'
import { mergeIndexes } from '../../../../src/model/log-index.ts'
import type { Message } from '../../../../src/model/message.ts'
import { charactersByFour } from '../../../../src/tokens/estimate/estimator.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const run = (id: string, command: string, output: string): Message[] => [
  call(id, 'Bash', { command }),
  result(id, output, 'Bash'),
]

function section(messages: readonly Message[], title: string): string {
  const items = viewOf(logOf(messages)).items.slice()
  const text = digest({ items, index: mergeIndexes([indexDelta(items)]), tokens: 2_000, estimator: charactersByFour })
  return text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ''
}

describe('what commands say came of the work', () => {
  const asked = user('Fix the build and commit.')

  it('is told as done: commits, checks that passed, what was opened', () => {
    const done = section(
      [
        asked,
        ...run('a', 'npm test 2>&1 | tail -5', 'Tests  42 passed (42)'),
        ...run('b', 'git commit -am "Fix it"', '[main abc1234] Fix it\n 1 file changed'),
        ...run('c', 'gh pr create --fill', 'https://example.org/acme/app/pull/7'),
      ],
      'Done',
    )
    expect(done).toMatch(/#3 `npm test`: Tests {1,2}42 passed/)
    expect(done).toContain('#5 committed abc1234 on main: Fix it')
    expect(done).toContain('#7 opened https://example.org/acme/app/pull/7')
  })

  it('is told as failed while the last run of the same check counts failures, whatever part of its output was shown', () => {
    const red = [asked, ...run('a', 'cd app && npm test | tail -5', 'Tests  2 failed | 40 passed (42)')]
    expect(section(red, 'Tried and failed')).toContain('2 failed | 40 passed')
    const green = [...red, ...run('b', 'npm test 2>&1 | head -20', 'Tests  42 passed (42)')]
    expect(section(green, 'Tried and failed')).not.toContain('2 failed')
    expect(section(green, 'Done')).toContain('42 passed')
  })

  it('is told with what the user decided when the agent asked', () => {
    const answered = [
      asked,
      call('q', 'AskUserQuestion', { questions: [] }),
      result('q', 'User has answered your questions: "Which port?"="8080".', 'AskUserQuestion'),
      assistant('I will use it.'),
    ]
    expect(section(answered, 'Decisions')).toContain('"Which port?"="8080"')
  })

  it('leaves what the agent asked back as what is next', () => {
    expect(section([asked, assistant('The build is fixed. Should I push it?')], 'Next')).toContain('Should I push it?')
  })
})

it('in a language without cues the beginnings of what was said are told', () => {
  const said = [
    user('修复构建'),
    {
      role: 'assistant',
      content: [
        { type: 'text', text: '我查看了配置文件，端口被占用了。' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a.ts' } },
      ],
    },
    result('a'),
  ] satisfies Message[]
  expect(section(said, 'Decisions')).toContain('端口被占用了')
})
