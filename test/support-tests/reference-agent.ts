import { jsonSchema, type ModelMessage, streamText, tool } from 'ai'
import { z } from 'zod'
import type { Tool, ToolContext, ToolOutput } from '../../src/agent/tool.ts'
import { TOOLS } from '../../src/agent/tools/index.ts'
import { logOf } from '../../src/engine/context/view/log.ts'
import { parseMessage } from '../../src/model/message-schema.ts'
import type { Entry, Message } from '../../src/model/types.ts'
import { searchLog } from '../../src/search/hits.ts'
import type { ModelServer, ProtocolName } from '../support/model-server/index.ts'
import { sdkModel } from '../support/model-server/sdk-model.ts'

export type ReferenceOptions = {
  readonly server: ModelServer
  readonly protocol: ProtocolName
  readonly workspace: string
  readonly prompt: string
  readonly tools?: readonly Tool[]
  /** The part of the conversation that is sent. All of it by default. */
  readonly shown?: (messages: readonly ModelMessage[]) => readonly ModelMessage[] | Promise<readonly ModelMessage[]>
  /** The messages that can be recalled. All of them by default. */
  readonly log?: () => readonly Entry[]
}

const MOST_REQUESTS = 200

/** The smallest agent there is: it sends all it has until the model calls no more tools. No compaction, no retries. */
export async function runReferenceAgent(options: ReferenceOptions): Promise<{ requests: number; text: string }> {
  const { server, protocol, tools = TOOLS, shown = (messages) => messages } = options
  const messages: ModelMessage[] = [{ role: 'user', content: options.prompt }]
  const context = contextOf(options.workspace, options.log ?? (() => entriesOf(messages)))
  for (let requests = 1; requests <= MOST_REQUESTS; requests++) {
    const result = streamText({
      model: sdkModel(server, protocol),
      instructions: 'You are a coding agent.',
      messages: [...(await shown(messages))],
      tools: declared(tools),
      maxRetries: 0,
      onError: () => {},
    })
    const calls = await result.toolCalls
    messages.push(...(await result.response).messages)
    if (calls.length === 0) return { requests, text: await result.text }
    const results = []
    for (const { toolCallId, toolName, input } of calls) {
      const { text, isError } = await runTool(tools, toolName, input, context)
      const output = { type: isError ? ('error-text' as const) : ('text' as const), value: text }
      results.push({ type: 'tool-result' as const, toolCallId, toolName, output })
    }
    messages.push({ role: 'tool', content: results })
  }
  return { requests: MOST_REQUESTS, text: '' }
}

function declared(tools: readonly Tool[]) {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [
      name,
      tool({ description, inputSchema: jsonSchema(z.toJSONSchema(input) as object) }),
    ]),
  )
}

type Context = ToolContext & { readonly learn: (output: ToolOutput) => void }

async function runTool(tools: readonly Tool[], name: string, input: unknown, context: Context): Promise<ToolOutput> {
  const found = tools.find((each) => each.name === name)
  if (found === undefined) return { text: `error: there is no tool ${name}`, isError: true }
  const allowed = await found.permission(input, context)
  const output = await found.run(input, allowed === undefined ? context : { ...context, allowed })
  context.learn(output)
  return output
}

function contextOf(workspace: string, log: () => readonly Entry[]): Context {
  const hashes = new Map<string, string>()
  return {
    workspace,
    signal: new AbortController().signal,
    env: process.env as Record<string, string>,
    seen: (path) => hashes.get(path),
    learn: ({ files = [] }) => {
      for (const { path, hash } of files) if (hash !== undefined) hashes.set(path, hash)
    },
    recall: {
      entries: async (handles) => log().filter(({ seq }) => handles.split(/[\s,]+/).includes(`#${seq}`)),
      search: (text) => searchLog(log(), text, { limit: 20 }),
    },
  }
}

function entriesOf(messages: readonly ModelMessage[]): Entry[] {
  return logOf(messages.map(ourMessage))
}

/** The AI SDK's message as ours: the same, without what is not there. */
export function ourMessage(message: ModelMessage): Message {
  return parseMessage(JSON.parse(JSON.stringify(message)))
}
