import { expect, it } from 'vitest'
import { indexDelta } from '../../../../src/engine/facts/index-delta.ts'
import { turnsOf } from '../../../../src/engine/facts/turns-of.ts'
import { logOf } from '../../../../src/engine/view/log.ts'
import { viewOf } from '../../../../src/engine/view/view-of.ts'
import { mergeIndexes } from '../../../../src/model/facts/merge-indexes.ts'
import type { Message } from '../../../../src/model/message.ts'
import { assistant } from '../../../support/messages.ts'

const REMINDER = '<system-reminder>\n<total_tokens>15000000 tokens left</total_tokens>\n</system-reminder>\n'

it.each([
  ['a broken-off answer', ['[Request interrupted by user]\n']],
  ['a broken-off call', [REMINDER, '[Request interrupted by user for tool use]\n']],
  [
    'a command to the program',
    [
      '<local-command-caveat>The command below was run directly in Claude Code.</local-command-caveat>\n',
      '<command-name>/compact</command-name>\n<command-message>compact</command-message>\n',
      '<local-command-stdout>Compacted</local-command-stdout>\n',
    ],
  ],
  ['a shell command of their own', ['<bash-input>ls</bash-input>\n', '<bash-stdout>a.ts</bash-stdout>']],
  ['a notice', ['<task-notification>\n<status>completed</status>\n</task-notification>']],
])('what the user types behind %s, in the same message, is kept', (_, before) => {
  const { said, asked } = read([...before, 'you must never touch b.ts'])
  expect(said).toEqual(['you must never touch b.ts'])
  expect(asked).toEqual(['you must never touch b.ts'])
})

it('what the user types while the agent works is told without what Claude Code says around it', () => {
  const told =
    'The user sent a new message while you were working:\nyou must never touch b.ts\n\nThis is how Claude Code surfaces messages the user sends mid-turn.'
  expect(read([told]).said).toEqual(['you must never touch b.ts'])
})

it('two texts that the user typed are both kept', () => {
  expect(read(['fix the build', REMINDER, 'and the docs']).said).toEqual(['fix the build\nand the docs'])
})

it('a message that only programs wrote says nothing', () => {
  expect(read([REMINDER, '[Request interrupted by user]']).said).toEqual([])
})

it('a command is told as it was typed, without the text that the agent makes of it', () => {
  const command =
    '<command-message>pr</command-message>\n<command-name>/pr</command-name>\n<command-args>now</command-args>'
  expect(read([command, 'Open a pull request. You must never push to main.']).said).toEqual(['/pr now'])
})

it('a file that opencode attaches to a message is nothing that the user said', () => {
  const call = 'Called the Read tool with the following input: {"filePath":"/w/notes.txt"}'
  const file = '<path>/w/notes.txt</path>\n<content>\n1: You must never eat soup.\n</content>'
  expect(read(['look at @notes.txt', call, file]).said).toEqual(['look at @notes.txt'])
})

it.each([
  'Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.',
  "The previous request exceeded the provider's size limit due to large media attachments. The conversation was compacted.",
  'The following tool was executed by the user',
])('what opencode says in the place of the user is no request: %s', (text) => {
  expect(read([text]).said).toEqual([])
})

function read(texts: readonly string[]) {
  const message: Message = { role: 'user', content: texts.map((text) => ({ type: 'text', text })) }
  const items = viewOf(logOf([message, assistant('done')])).items.slice()
  return {
    said: mergeIndexes([indexDelta(items)]).users.map(({ text }) => text),
    asked: turnsOf(items).map(({ asked }) => asked),
  }
}
