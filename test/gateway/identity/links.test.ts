import { expect, test } from 'vitest'
import { linksOf } from '../../../src/gateway/identity/conversation.ts'

test.each([
  ['Gemini CLI', '<session_context>\nThis is the Gemini CLI.\nToday is Monday\n└───a.txt\n</session_context>'],
  ['qwen-code', '<system-reminder>\nThe current date is: Monday, November 16, 2026.\n</system-reminder>'],
  [
    'qwen-code',
    '<system-reminder>\nThis is the Qwen Code. We are setting up the context for our chat.\n└───a.txt\n</system-reminder>',
  ],
  [
    'qwen-code',
    '<system-reminder>\nThe current task still has unfinished todo items:\n- [pending] Do it\n</system-reminder>',
  ],
  ['qwen-code', '<system-reminder>\nThe following skills are available for use: <x>\n</system-reminder>'],
  ['qwen-code', '<system-reminder>\nThe following tools are reachable through `tool_search`\n</system-reminder>'],
])('text that %s writes again at every start is not part of a conversation', (_, moving) => {
  const blocks = [moving, 'Look at the parser'].map((text) => ({ type: 'text' as const, text }))
  expect(linksOf({ role: 'user', content: blocks })).toEqual(['user\ntext\nLook at the parser'])
})

test('other reminders are', () => {
  const content = '<system-reminder>\nThe user has changed a.ts.\n</system-reminder>'
  expect(linksOf({ role: 'user', content })).toHaveLength(1)
})
