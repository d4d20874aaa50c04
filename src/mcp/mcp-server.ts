import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { PithError } from '../model/problems/errors.ts'
import { parse } from '../model/problems/parse.ts'
import { printable } from '../model/text.ts'
import { changeContextTool } from './change-context-tool.ts'
import { contextTool } from './context-tool.ts'
import { INSTRUCTIONS, MEMORY_TEXTS } from './descriptions.ts'
import type { McpTool, SessionFinder, ToolCall } from './found-session.ts'
import { memoryText, memoryTool } from './memory-tool.ts'
import { pinTool } from './pin-tool.ts'
import { recallTool } from './recall-tool.ts'

/**
 * The MCP server. It uses the SDK's class `Server`, which answers bad arguments with an error of the protocol. The SDK's
 * `McpServer` would answer with a result of several lines.
 */
export function mcpServer(finder: SessionFinder, { version }: { readonly version: string }): Server {
  const tools = [
    ...TOOLS,
    ...(finder.request === undefined ? [] : [CHANGE_TOOL]),
    ...(finder.memory === undefined ? [] : [MEMORY_TOOL]),
  ]
  const capabilities = { tools: {}, ...(finder.memory && { resources: {} }) }
  const server = new Server({ name: 'pith', version }, { capabilities, instructions: INSTRUCTIONS })
  if (finder.memory !== undefined) offerPage(server, finder)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ listed }) => listed) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, _meta, sendNotification }) => {
    const tool = tools.find(({ listed }) => listed.name === params.name)
    const names = tools.map(({ listed }) => listed.name).join(', ')
    if (tool === undefined) throw protocolError(ErrorCode.InvalidParams, `there is no tool ${params.name}: ${names}`)
    const progressToken = _meta?.progressToken
    const progress = async (done: number, message: string) => {
      if (progressToken === undefined) return
      const at = { progressToken, progress: done, message }
      await sendNotification({ method: 'notifications/progress', params: at })
    }
    return resultOf(tool.call(params.arguments ?? {}, { finder, signal, progress, clock: Date.now }))
  })
  return server
}

/** The tools: `listed` is the description for clients, `call` runs the tool. */
const TOOLS = [offered(recallTool), offered(contextTool), offered(pinTool)]
const CHANGE_TOOL = offered(changeContextTool)
const MEMORY_TOOL = offered(memoryTool)

/** The memory as a resource, for clients in which the user chooses what the model reads. */
function offerPage(server: Server, finder: SessionFinder): void {
  const { uri, title, description } = MEMORY_TEXTS
  const page = { uri, name: 'memory', title, description, mimeType: 'text/markdown' }
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [page] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    if (params.uri !== uri) throw protocolError(NO_RESOURCE, `there is no resource ${params.uri}: ${uri}`)
    return { contents: [{ uri, mimeType: page.mimeType, text: memoryText(finder) }] }
  })
}

/** The code of the protocol for a resource that does not exist. */
const NO_RESOURCE = -32_002

function offered<Input>({ name, description, input, isReadOnly, run }: McpTool<Input>) {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
  const inputSchema = { ...schema, type: 'object' as const }
  return {
    listed: { name, description, inputSchema, annotations: { readOnlyHint: isReadOnly, openWorldHint: false } },
    call: async (args: Arguments, call: ToolCall) => {
      const keys = Object.keys(schema.properties ?? {})
      return run(parse(input, withoutClients(args), { what: name, code: 'bad-argument', keys }), call)
    },
  }
}

type Arguments = Readonly<Record<string, unknown>>

/** Arguments that a client adds to every tool and passes on: `wait_for_previous` is Gemini CLI's. */
const OF_CLIENTS: ReadonlySet<string> = new Set(['wait_for_previous'])

function withoutClients(args: Arguments): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !OF_CLIENTS.has(name)))
}

/** An error that the model can correct becomes an answer, so that the model reads it. Bad arguments become an error of the protocol. */
async function resultOf(answer: Promise<string>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: await answer }] }
  } catch (error) {
    if (!(error instanceof PithError)) throw error
    const text = printable(error.message)
    if (error.code === 'bad-argument') throw protocolError(ErrorCode.InvalidParams, text)
    return { isError: true, content: [{ type: 'text', text }] }
  }
}

/** A plain error with a code, because the SDK's `McpError` repeats the code in the message. */
function protocolError(code: number, message: string): Error {
  return Object.assign(new Error(printable(message).replace(/\s+/g, ' ')), { code })
}
