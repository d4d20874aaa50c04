import { describe, expect, it } from 'vitest'
import { isSideRequest } from '../../../src/gateway/clients/side-request.ts'
import { readRequest } from '../../../src/gateway/faces/read-request.ts'

const CLAUDE = 'claude-cli/2.1.325 (external, cli)'
const user = (content: string) => ({ role: 'user', content })
const said = [user('a'), { role: 'assistant', content: 'b' }, user('c')]

function isSide(agent: string, body: object, path = '/v1/messages'): boolean {
  const client = {
    method: 'POST',
    path,
    headers: { 'user-agent': agent },
    body: Buffer.from(JSON.stringify({ model: 'm', ...body })),
  }
  const read = readRequest(client)
  if (read === undefined) throw new Error('the request is not read')
  return isSideRequest(client, read)
}

describe('a request beside the conversation', () => {
  const schema = { format: { type: 'json_schema', schema: {} } }
  it.each<[string, string, object]>([
    ['for a title, in one turn', CLAUDE, { messages: [user('Write a title for: Fix the parser')] }],
    [
      'for a web search of the provider',
      CLAUDE,
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }], messages: [user('Search')] },
    ],
    ['for a JSON object about a history', CLAUDE, { messages: said, output_config: schema }],
    ['of another agent', 'QwenCode/0.24.4 (linux; arm64)', { messages: [user('Is it done?')] }],
  ])('is one %s', (_, agent, body) => {
    expect(isSide(agent, body)).toBe(true)
  })

  const tools = [{ name: 'Bash', input_schema: { type: 'object' } }]
  it.each<[string, string, object]>([
    ['a step of a conversation', CLAUDE, { tools, messages: [user('Fix the parser')] }],
    ['a conversation without tools that continues', CLAUDE, { messages: said }],
    ['of a program that is not known as an agent', 'my-program/1.0', { messages: [user('Hello')] }],
    ['a text about JSON', CLAUDE, { tools, messages: [user('What is a "json_schema"?')] }],
  ])('is not %s', (_, agent, body) => {
    expect(isSide(agent, body)).toBe(false)
  })

  it('is not one of Codex that has its tools in the conversation, as with its newest models', () => {
    const item = { type: 'additional_tools', role: 'developer', tools: [{ type: 'custom', name: 'exec' }] }
    const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix the parser' }] }
    const quoting = { ...message, content: [{ type: 'input_text', text: JSON.stringify(item) }] }
    const isSideOf = (...input: object[]) => isSide('codex_exec/0.166.0', { input }, '/v1/responses')
    expect([isSideOf(item, message), isSideOf(quoting)]).toEqual([false, true])
  })

  it.each(['parameters', 'parametersJsonSchema', 'parameters_json_schema'])(
    'is not one of Gemini CLI whose tools have %s',
    (key) => {
      const declared = { name: 'run_shell_command', [key]: { type: 'object' } }
      const contents = [{ role: 'user', parts: [{ text: 'Fix the parser' }] }]
      const path = '/v1beta/models/gemini-2.5-pro:streamGenerateContent'
      const body = (tools: object[]) => ({ contents, tools: [{ functionDeclarations: tools }] })
      expect(isSide('GeminiCLI-tui/0.61.0', body([declared]), path)).toBe(false)
      expect(isSide('GeminiCLI-tui/0.61.0', body([]), path)).toBe(true)
    },
  )
})
