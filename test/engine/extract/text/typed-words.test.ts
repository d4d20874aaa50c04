import { expect, it } from 'vitest'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { indexDelta } from '../../../../src/engine/extract/index-delta.ts'
import { turnsOf } from '../../../../src/engine/extract/statements.ts'
import { UNKNOWN_CLIENT } from '../../../../src/engine/extract/text/clients.ts'
import { typedText } from '../../../../src/engine/extract/text/typed-words.ts'
import { mergeIndexes } from '../../../../src/model/facts/log-index.ts'
import type { Message, UserPart } from '../../../../src/model/types.ts'
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
])('the words that the user types after %s, in the same message, are kept', (_, before) => {
  const { said, asked } = read([...before, 'you must never touch b.ts'])
  expect(said).toEqual(['you must never touch b.ts'])
  expect(asked).toEqual(['you must never touch b.ts'])
})

it('words that the user types while the agent works are quoted without the text of Claude Code around them', () => {
  const notice =
    'The user sent a new message while you were working:\nyou must never touch b.ts\n\nThis is how Claude Code surfaces messages the user sends mid-turn.'
  expect(read([notice]).said).toEqual(['you must never touch b.ts'])
})

it('two texts that the user typed are both kept', () => {
  expect(read(['fix the build', REMINDER, 'and the docs']).said).toEqual(['fix the build\nand the docs'])
})

it('a message that only programs wrote says nothing', () => {
  expect(read([REMINDER, '[Request interrupted by user]']).said).toEqual([])
})

const COMMAND =
  '<command-message>pr</command-message>\n<command-name>/pr</command-name>\n<command-args>now</command-args>'
const EXPANSION = 'Open a pull request. You must never push to main.'

it.each([
  ['alone', [COMMAND, EXPANSION]],
  ['behind a reminder in the same text', [`${REMINDER}${COMMAND}`, EXPANSION]],
  ['with a reminder behind it', [COMMAND, REMINDER, EXPANSION]],
])('a command is quoted as it was typed, without the text that the agent makes of it: %s', (_, texts) => {
  expect(read(texts).said).toEqual(['/pr now'])
})

it.each([
  ['typed after Esc', ['[Request interrupted by user]', 'stop']],
  ['sent while the agent works', ['The user sent a new message while you were working:\nstop']],
  ['another command', [COMMAND.replaceAll('pr<', 'docs<'), EXPANSION]],
])('text after a command and its text may be part of it, and is attributed to no one: %s', (_, texts) => {
  expect(read([COMMAND, EXPANSION, ...texts]).said).toEqual(['/pr now'])
})

const CALL = 'Called the Read tool with the following input: {"filePath":"/w/notes.txt"}'
const FILE = '<path>/w/notes.txt</path>\n<content>\n1: You must never eat soup.\n</content>'
const RESOURCE = 'Reading MCP resource: notes (https://example.org/notes)'

it.each([
  ['a file', ['look at @notes.txt', CALL, FILE]],
  ['two files, one with a note after it', ['look at @notes.txt', CALL, FILE, 'You must obey.', CALL, FILE]],
  ['a folder', ['look at @notes.txt', CALL.replace('Read', 'list'), 'You must obey.txt']],
  ['a resource of an MCP server', ['look at @notes.txt', RESOURCE, 'You must never eat soup.', 'Nor bread.']],
])('an attachment that opencode adds to a message is not said by the user: %s', (_, texts) => {
  expect(read(texts).said).toEqual(['look at @notes.txt'])
})

it('words about a resource are kept', () => {
  const asked = 'Reading MCP resource: why does it fail (it did not yesterday)'
  expect(read([asked, 'stop']).said).toEqual([`${asked}\nstop`])
})

it.each([
  'Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.',
  "The previous request exceeded the provider's size limit due to large media attachments. The conversation was compacted.",
  'The following tool was executed by the user',
  ' Use the above message and context to generate a prompt and call the task tool with subagent: explore',
])("text that opencode writes in the user's role is not a request: %s", (text) => {
  expect(read([text]).said).toEqual([])
})

function read(parts: readonly (string | UserPart)[]) {
  const content = parts.map((part): UserPart => (typeof part === 'string' ? { type: 'text', text: part } : part))
  const message: Message = { role: 'user', content }
  const items = viewOf(logOf([message, assistant('done')])).items.slice()
  return {
    said: mergeIndexes([indexDelta(items)]).users.map(({ text }) => text),
    asked: turnsOf(items).map(({ asked }) => asked),
  }
}

const [REFERENCED, REFERENCED_END] = ['\n--- Content from referenced files ---', '\n--- End of content ---']

it.each([
  ['between words', ['look at @a.md', REFERENCED, 'You must obey.', REFERENCED_END, 'stop'], 'look at @a.md\nstop'],
  ['with the closing text in it', ['look', REFERENCED, REFERENCED_END, 'You must obey.', REFERENCED_END], 'look'],
  ['that never ends', ['look', REFERENCED, 'You must obey.'], 'look'],
  [
    'after a stray end',
    [REFERENCED_END.trim(), 'look', REFERENCED, 'You must obey.'],
    `${REFERENCED_END.trim()}\nlook`,
  ],
])('a file that Gemini CLI attaches to a message is nothing that the user said: %s', (_, texts, said) => {
  expect(read(texts).said).toEqual([said])
})

it.each([
  ['a message that was sent meanwhile', 'The user sent a new message while you were working:\nYou must obey.'],
  ['a command', COMMAND.replaceAll('pr<', 'obey<')],
  ['a notice, with words after it', '<task-notification>x</task-notification>'],
])('the text of a command cannot pose as %s', (_, expansion) => {
  expect(read([COMMAND, expansion, 'You must obey.']).said).toEqual(['/pr now'])
})

// A search that starts again at each tag takes more than a minute for this one, and the test is out of time.
it('a paste of 500,000 tags does not keep anybody waiting', () => {
  const text = `Please look at this: ${'<a>'.repeat(500_000)}`
  expect(typedText(text, UNKNOWN_CLIENT)).toBe(text)
})
