import { z } from 'zod'
import { openConversation } from '../../fit/state/conversation.ts'
import { fields, text } from '../../formats/shared/json.ts'
import type { ToolSchema } from '../../model/types.ts'
import { type KeeperOptions, type ListCall, ListKeeper, MOST_OVERFLOWS } from '../shared/list-keeper.ts'
import { RECALL_DESCRIPTION, type RecallInput, recallAnswer, recallFrom, recallSchema } from '../shared/recall.ts'
import { type ChainMessage, fromChain, toChain, usageIn } from './message-form.ts'

/** LangChain recognises a middleware by this symbol. */
const BRAND: unique symbol = Symbol.for('AgentMiddleware') as never

type AgentState = { readonly messages: readonly ChainMessage[]; readonly pithState?: unknown }
type ModelRequest = {
  readonly messages: ChainMessage[]
  readonly systemPrompt?: string
  readonly tools?: readonly unknown[]
  readonly state?: unknown
}

/**
 * Middleware for `createAgent` of LangChain: each call of the model gets messages that fit the window. The agent's state still
 * has all messages. Pith's state is next to them as `pithState`, so a checkpointer stores both. The `summaryModels` write the
 * summaries; without them, summaries are digests. A request that the provider refuses as too large is compacted and sent again.
 *
 * @example
 * ```js
 * import { createAgent } from 'langchain'
 * import { compactionMiddleware } from 'pith/langchain'
 *
 * const agent = createAgent({ model: 'openai:gpt-5', tools: [], middleware: [compactionMiddleware({ window: 200_000 })] })
 * ```
 */
export function compactionMiddleware(options: KeeperOptions) {
  const keeper = new ListKeeper('compactionMiddleware', options)
  /** LangChain shows the system prompt and the tools only in a call of the model, but they have to be counted before the call. */
  let fixed: Pick<ListCall, 'system' | 'tools'> = {}
  let tools: ChainTools | undefined
  const keep = (messages: readonly ChainMessage[], state: unknown) =>
    keeper.fit(fromChain(messages), { ...fixed, usage: usageIn(messages), state })
  return {
    [BRAND]: true as const,
    name: 'PithCompaction',
    stateSchema: z.object({ pithState: z.unknown().optional() }),
    /** The state is written here, because LangChain does not let `wrapModelCall` write it. */
    beforeModel: async ({ messages, pithState }: AgentState) => ({
      pithState: (await keep(messages, pithState)).state,
    }),
    wrapModelCall: async <Request extends ModelRequest, Answer>(
      request: Request,
      handler: (request: Request) => Answer | Promise<Answer>,
    ): Promise<Answer> => {
      const { pithState } = (request.state ?? {}) as Partial<AgentState>
      tools = request.tools && chainTools(request.tools, tools)
      fixed = { system: request.systemPrompt, tools: tools?.schemas }
      let kept = await keep(request.messages, pithState)
      for (let tries = 1; ; tries++) {
        try {
          return await handler({ ...request, messages: toChain(kept.messages, request.messages) })
        } catch (error) {
          const smaller = tries > MOST_OVERFLOWS ? undefined : await keeper.refit(error, kept)
          if (smaller === undefined) throw error
          kept = smaller
        }
      }
    },
  }
}

/** The tools of a call in LangChain's form, and as the schemas that we count. */
type ChainTools = { readonly given: readonly unknown[]; readonly schemas: readonly ToolSchema[] }

/** The tools of a call. Tools of the call before are not read again: ten schemas of zod take a millisecond. */
function chainTools(given: readonly unknown[], before?: ChainTools): ChainTools {
  const schemas = given.map((tool, i) => (tool === before?.given[i] && before?.schemas[i]) || schemaOf(tool))
  return { given: [...given], schemas }
}

/** The schema that we count for a tool. The tool is an object of LangChain with a schema of zod or JSON, or a provider's own declaration. */
function schemaOf(given: unknown): ToolSchema {
  const tool = fields(given) ?? {}
  const { name, description, schema } = tool
  // A provider's own declaration is counted unchanged.
  if (text(name) === undefined || schema === undefined) return { name: text(name) ?? '', inputSchema: tool }
  return { name: text(name) ?? '', description: text(description), inputSchema: jsonSchemaOf(schema) }
}

/** A schema of zod is sent as JSON Schema. If it cannot be converted, only its description is counted. */
function jsonSchemaOf(schema: unknown): unknown {
  if (!(schema instanceof z.ZodType) && fields(schema)?._zod === undefined) return schema
  try {
    return z.toJSONSchema(schema as z.ZodType)
  } catch {
    return fields(schema)?.description
  }
}

/** The part of LangChain's `ToolRuntime` that is read: the agent's state, with all messages. */
type Runtime = { readonly state?: { readonly messages?: readonly ChainMessage[]; readonly pithState?: unknown } }

async function execute(input: RecallInput, runtime: object): Promise<string> {
  const { messages, pithState: state } = (runtime as Runtime).state ?? {}
  return recallAnswer(messages && recallFrom(openConversation(fromChain(messages), { state })), input)
}

/**
 * The arguments for LangChain's `tool` that make the tool `recall`. With it, the agent reads compacted or cut messages again,
 * word for word. The middleware sees it among the agent's tools, and its records mention it.
 *
 * @example
 * ```js
 * import { createAgent, tool } from 'langchain'
 * import { compactionMiddleware, recall } from 'pith/langchain'
 *
 * const middleware = [compactionMiddleware({ window: 200_000 })]
 * const agent = createAgent({ model: 'openai:gpt-5', tools: [tool(...recall)], middleware })
 * ```
 */
export const recall: readonly [
  execute: typeof execute,
  fields: { readonly name: 'recall'; readonly description: string; readonly schema: typeof recallSchema },
] = [execute, { name: 'recall', description: RECALL_DESCRIPTION, schema: recallSchema }]
