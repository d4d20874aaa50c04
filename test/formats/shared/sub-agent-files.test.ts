import { describe, expect, it } from 'vitest'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { ledgerOf } from '../../../src/engine/extract/ledger/ledger-of.ts'
import { FILE_STATE, fileForms } from '../../../src/engine/record/ledger-lines.ts'
import { viewOf } from '../../../src/engine.ts'
import { mergeIndexes } from '../../../src/model/facts/log-index.ts'
import { decoded } from '../fixture.ts'

const PROMPT = 'Fix the port.'
const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content })
const CALL = use('t1', 'Task', { subagent_type: 'general-purpose', description: 'Port', prompt: PROMPT })
const EDIT = use('e1', 'Edit', { file_path: '/repo/a.ts', old_string: '1', new_string: '2' })
const EDITED = result('e1', 'The file /repo/a.ts has been updated.')

type Message = { readonly role: 'user' | 'assistant'; readonly content: unknown }
const AGENT: readonly Message[] = [
  { role: 'user', content: PROMPT },
  { role: 'assistant', content: [EDIT] },
  { role: 'user', content: [EDITED] },
]

/** A session of Claude Code, with the lines of a sub-agent between a call and its result. */
function claudeCode(agentLine: (message: Message, i: number) => object, after: readonly Message[] = []): string {
  const main = (message: Message, i: number) => ({
    type: message.role,
    uuid: `m${i}`,
    parentUuid: i === 0 ? null : `m${i - 1}`,
    sessionId: 's',
    message,
  })
  const [start, ...rest] = [
    [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [CALL] },
    ],
    [{ role: 'user', content: [result('t1', 'The port is 8081 now.')] }, ...after],
  ] as const satisfies readonly (readonly Message[])[]
  const lines = [...start.map(main), ...AGENT.map(agentLine), ...rest.flat().map((message, i) => main(message, i + 2))]
  return lines.map((line) => JSON.stringify(line)).join('\n')
}

/** Claude Code 2.1 wraps the messages of a sub-agent into lines of progress. */
const progress = (message: Message, i: number) => ({
  type: 'progress',
  uuid: `p${i}`,
  parentUuid: 'm1',
  parentToolUseID: 't1',
  data: { type: 'agent_progress', agentId: 'x', message: { type: message.role, message } },
})
/** Earlier versions wrote them as a chain of their own, without the call. */
const sidechain = (message: Message, i: number) => ({
  type: message.role,
  uuid: `s${i}`,
  parentUuid: i === 0 ? null : `s${i - 1}`,
  isSidechain: true,
  message,
})

const copilot = [
  { type: 'session.start', data: { sessionId: 's' } },
  { type: 'user.message', data: { content: 'Go.' } },
  {
    type: 'assistant.message',
    data: {
      toolRequests: [
        { toolCallId: 't1', name: 'task', arguments: { agent_type: 'general-purpose', prompt: PROMPT, name: 'port' } },
      ],
    },
  },
  { type: 'user.message', data: { content: PROMPT, parentToolCallId: 't1' } },
  {
    type: 'assistant.message',
    data: {
      parentToolCallId: 't1',
      toolRequests: [{ toolCallId: 'e1', name: 'edit', arguments: { path: '/repo/a.ts', old_str: '1', new_str: '2' } }],
    },
  },
  {
    type: 'tool.execution_complete',
    data: { parentToolCallId: 't1', toolCallId: 'e1', success: true, result: { content: 'File edited.' } },
  },
  {
    type: 'tool.execution_complete',
    data: { toolCallId: 't1', success: true, result: { content: 'It is 8081 now.' } },
  },
]
  .map((line) => JSON.stringify(line))
  .join('\n')

function linesOf(text: string): string[] {
  const { items } = viewOf(decoded(text).entries)
  const { files } = ledgerOf(mergeIndexes([indexDelta(items.slice())]))
  return files.map((file, i) => fileForms(file, i)(FILE_STATE + 1))
}

describe('a file that a sub-agent changed', () => {
  it.each([
    ['Claude Code, in lines of progress', claudeCode(progress)],
    ['Claude Code, in a chain of its own', claudeCode(sidechain)],
    ['Copilot CLI', copilot],
  ])('is in the ledger with its origin: %s', (_, text) => {
    expect(linesOf(text)).toEqual(['- /repo/a.ts: changed by sub-agent general-purpose (#3)'])
  })

  it('has its own edits besides, and the commits of the session itself', () => {
    const own = [
      {
        role: 'assistant',
        content: [use('e2', 'Edit', { file_path: '/repo/a.ts', old_string: '2', new_string: '3' })],
      },
      { role: 'user', content: [result('e2', 'The file /repo/a.ts has been updated.')] },
    ] as const
    const commit = [
      { role: 'assistant', content: [use('c1', 'Bash', { command: 'git add -A && git commit -m x' })] },
      { role: 'user', content: [result('c1', '[main 1a2b3c4] x')] },
    ] as const
    expect(linesOf(claudeCode(progress, own))).toEqual(['- /repo/a.ts: edited and by sub-agent general-purpose (#4)'])
    expect(linesOf(claudeCode(progress, commit))).toEqual([
      '- /repo/a.ts: changed by sub-agent general-purpose, committed 1a2b3c4 (#3)',
    ])
  })

  it('is not called uncommitted: the sub-agent may have committed it', () => {
    const log = [
      { role: 'assistant', content: [use('c1', 'Bash', { command: 'git log --oneline -1' })] },
      { role: 'user', content: [result('c1', '1a2b3c4 x')] },
    ] as const
    expect(linesOf(claudeCode(progress, log))).toEqual(['- /repo/a.ts: changed by sub-agent general-purpose (#3)'])
  })

  it('has no origin if two sub-agents had the same prompt and the file does not link them', () => {
    const other = AGENT.map((message, i) => JSON.stringify({ ...sidechain(message, i), uuid: `o${i}`, agentId: 'two' }))
    expect(linesOf(`${claudeCode(sidechain)}\n${other.join('\n')}`)).toEqual([])
  })
})
