import { expect, it } from 'vitest'
import { askedQuestion } from '../../src/acp/session-updates.ts'

it('a question in an editor says why a command runs outside, or that it ran once already', () => {
  const note = 'It ran once already, in the sandbox, and failed: ~/.aws is hidden there'
  const { title, content } = askedQuestion({
    kind: 'permission',
    id: 'q',
    action: 'command',
    target: 'deploy now',
    outside: true,
    note,
  })
  expect(title).toBe('command deploy now, outside of the sandbox')
  expect(JSON.stringify(content)).toContain(note)
})
