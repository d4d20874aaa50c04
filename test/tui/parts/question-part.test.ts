import { expect, it } from 'vitest'
import { QuestionPart } from '../../../src/tui/parts/question-part.ts'
import { themeOf } from '../../../src/tui/parts/theme.ts'
import type { PermissionQuestion } from '../../../src/tui/port/port.ts'

it('a question says that its command ran once already, before the command itself', () => {
  const question: PermissionQuestion = {
    kind: 'permission',
    id: 'q',
    action: 'command',
    target: 'deploy now',
    outside: true,
    note: 'It ran once already, in the sandbox, and failed: ~/.aws is hidden there',
  }
  const options = { theme: () => themeOf('none'), rows: () => 20, onAnswer: () => {}, onCancel: () => {} }
  const lines = new QuestionPart(question, options).render(100)
  expect(lines.slice(0, 3)).toEqual([
    'The agent wants to run (outside of the sandbox)',
    'It ran once already, in the sandbox, and failed: ~/.aws is hidden there',
    expect.stringContaining('deploy now'),
  ])
})
