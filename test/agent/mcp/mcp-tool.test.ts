import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import { AbortReason } from '../../../src/agent/interruption.ts'
import type { McpCallOptions } from '../../../src/agent/mcp/mcp-connection.ts'
import { mcpTool } from '../../../src/agent/mcp/mcp-tool.ts'
import type { ToolContext } from '../../../src/agent/tool.ts'
import { NOTHING_FOUND } from '../../../src/search/hits.ts'

type Call = (tool: string, input: Record<string, unknown>, options: McpCallOptions) => Promise<CallToolResult>

const described = { name: 'look', inputSchema: { type: 'object' as const } }
const tool = (call: Call) => mcpTool('maps_look', described, { name: 'maps', call })
const answering = (result: CallToolResult) => tool(async () => result)

function context(signal = new AbortController().signal, onOutput?: (text: string) => void): ToolContext {
  const recall = { entries: async () => [], search: async () => NOTHING_FOUND }
  return { workspace: '/', signal, env: {}, seen: () => undefined, recall, onOutput }
}

describe('the answer of an MCP server', () => {
  it('has names for the parts that are not text', async () => {
    const content: CallToolResult['content'] = [
      { type: 'text', text: 'Two files:' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'the text of a' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: 'aGk=' } },
      { type: 'resource_link', uri: 'file:///c', name: 'c' },
      { type: 'resource_link', uri: 'file:///d', name: 'd', description: 'the fourth' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ]
    expect(await answering({ content }).run({}, context())).toEqual({
      text: 'Two files:\nthe text of a\n[resource file:///b]\n[resource file:///c]\n[resource file:///d: the fourth]\n[audio]',
      images: [{ data: 'aGk=', mediaType: 'image/png' }],
    })
  })

  it('is its data if there is nothing else', async () => {
    const structuredContent = { found: 2 }
    expect(await answering({ content: [], structuredContent }).run({}, context())).toEqual({ text: '{"found":2}' })
    const both: CallToolResult = { content: [{ type: 'text', text: 'two' }], structuredContent, isError: true }
    expect(await answering(both).run({}, context())).toEqual({ text: 'two', isError: true })
  })
})

it('each word of progress is a line of output', async () => {
  const shown: string[] = []
  const busy = tool(async (_, __, { onProgress }) => {
    for (const text of ['half', 'whole']) onProgress(text)
    return { content: [] }
  })
  await busy.run(
    {},
    context(undefined, (text) => void shown.push(text)),
  )
  expect(shown).toEqual(['half\n', 'whole\n'])
  // Nobody has to listen.
  expect(await busy.run({}, context())).toEqual({ text: '' })
})

it('the model reads why a call was not done, and nothing throws', async () => {
  const broken = tool(async () => {
    throw new Error('it has ended')
  })
  expect(await broken.run({}, context())).toEqual({
    text: 'The MCP server maps did not do it: it has ended',
    isError: true,
  })
  expect(await broken.run({}, context(AbortSignal.abort()))).toEqual({
    text: 'Interrupted by the user: the server was asked to stop.',
    isError: true,
  })
  expect(await broken.run({}, context(AbortSignal.abort(new AbortReason('the run took too long'))))).toEqual({
    text: 'Interrupted because the run took too long: the server was asked to stop.',
    isError: true,
  })
  expect(await broken.run('x', context())).toEqual({ text: 'maps_look takes a table of arguments', isError: true })
})

it('images come in the order in which the server gives them', async () => {
  const image = (data: string) => ({ type: 'image' as const, data, mimeType: 'image/png' })
  const { images } = await answering({ content: [image('AA'), image('BB')] }).run({}, context())
  expect(images?.map(({ data }) => data)).toEqual(['AA', 'BB'])
})

it('a tool is called by its own name with its arguments, also without any', async () => {
  const calls: unknown[] = []
  const noting = tool(async (name, input) => {
    calls.push([name, input])
    return { content: [] }
  })
  await noting.run({ at: 'x' }, context())
  await noting.run(undefined, context())
  expect(calls).toEqual([
    ['look', { at: 'x' }],
    ['look', {}],
  ])
})

it('the user is asked about each call with its arguments, and no two run at once', async () => {
  const { permission, parallel, name } = answering({ content: [] })
  expect({ parallel, name }).toEqual({ parallel: false, name: 'maps_look' })
  expect(await permission({ at: 1 }, context())).toEqual({ kind: 'tool', tool: 'maps_look', input: '{\n  "at": 1\n}' })
  expect(await permission(undefined, context())).toMatchObject({ input: '' })
})

it('a long description is cut, because it is in every request', () => {
  const describedBy = (description?: string) =>
    mcpTool('x', { ...described, description }, { name: 'maps', call: async () => ({ content: [] }) }).description
  expect(describedBy('x'.repeat(4_000))).toBe('x'.repeat(4_000))
  expect(describedBy('x'.repeat(4_001))).toBe(`${'x'.repeat(4_000)}…`)
  expect(describedBy()).toBe('')
})
