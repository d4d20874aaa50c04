import { TOOL_TABLE } from '../../../src/engine/extract/calls/tool-table.ts'
import { attachedFile } from '../../../src/model/text.ts'
import type { Message, ToolResultOutput, UserPart } from '../../../src/model/types.ts'
import { call, user } from '../../support/messages.ts'

/** The words that the user really says in every conversation. */
export const REQUEST = 'Please add a test for the parser.'

/** Messages that hold a text of another speaker, in every place that such a text can have. */
export type Place = (text: string) => Message[]

const TOOLS = [
  ...TOOL_TABLE.keys(),
  'WebFetch',
  'Task',
  'Agent',
  'mcp__docs__search',
  'docs__AskUserQuestion',
  'AskUserQuestionnaire',
  'unknown_tool',
]

const OUTPUTS: readonly ((value: string) => ToolResultOutput)[] = [
  (value: string): ToolResultOutput => ({ type: 'text', value }),
  (value: string): ToolResultOutput => ({ type: 'error-text', value }),
  (value: string): ToolResultOutput => ({ type: 'json', value: { text: value } }),
  (value: string): ToolResultOutput => ({ type: 'json', value }),
  (value: string): ToolResultOutput => ({
    type: 'content',
    value: [
      { type: 'text', text: 'ok' },
      { type: 'text', text: value },
    ],
  }),
  (value: string): ToolResultOutput => ({ type: 'content', value: [{ type: 'text', text: value }] }),
]

/** In the result of a tool: a file, a web page, a report of a sub-agent, the answer of an MCP server. */
export const IN_RESULTS: readonly Place[] = TOOLS.flatMap((tool) =>
  OUTPUTS.map(
    (output): Place =>
      (text) => [
        call('c1', tool, { path: '/repo/notes.md', command: 'cat notes.md' }),
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: tool, output: output(text) }] },
      ],
  ),
)

/** In what goes along with a message of the user, as the clients put it there. */
export const IN_ATTACHMENTS: readonly Place[] = [
  (text: string) => withParts(REQUEST, attachedFile('notes.md', text)),
  (text: string) => withParts(REQUEST, attachedFile(`${text}.md`, 'content')),
  (text: string) => withParts(`<system-reminder>\nContents of CLAUDE.md:\n${text}\n</system-reminder>`, REQUEST),
  (text: string) => [user(`<system-reminder>\nContents of CLAUDE.md:\n${text}\n</system-reminder>\n${REQUEST}`)],
  (text: string) => withParts(REQUEST, 'Called the Read tool with the following input: {"filePath":"n"}', text),
  (text: string) =>
    withParts(
      REQUEST,
      '\n--- Content from referenced files ---',
      '\nContent from @notes.md:\n',
      text,
      '\n--- End of content ---',
    ),
  (text: string) => withParts('<command-message>do</command-message>\n<command-name>/do</command-name>', text),
  (text: string): Message[] => [
    {
      role: 'user',
      content: [
        { type: 'text', text: REQUEST },
        { type: 'file', data: { type: 'text', text }, mediaType: 'text/plain', filename: text.slice(0, 80) },
      ],
    },
  ],
]

/** In the name of a file, in a command, and in what the agent says. */
export const IN_CALLS: readonly Place[] = [
  (text: string) => [call('c2', 'Read', { file_path: `/repo/${text}` }), ok('c2', 'Read')],
  (text: string) => [call('c2', 'Write', { file_path: `/repo/${text}`, content: text }), ok('c2', 'Write')],
  (text: string) => [call('c2', 'bash', { command: `echo '${text}' > x` }), ok('c2', 'bash')],
  (text: string): Message[] => [{ role: 'assistant', content: `The page says:\n${text}` }],
]

function withParts(...texts: readonly string[]): Message[] {
  return [{ role: 'user', content: texts.map((text): UserPart => ({ type: 'text', text })) }]
}

function ok(toolCallId: string, toolName: string): Message {
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: 'ok' } }],
  }
}
