import { z } from 'zod'
import { type KeeperOptions, type ListCall, ListKeeper, MOST_OVERFLOWS } from '../shared/list-keeper.ts'
import { type ChainTools, chainTools } from './chain-tools.ts'
import { type ChainMessage, fromChain, toChain, usageIn } from './message-form.ts'

/** How LangChain knows a middleware. */
const BRAND: unique symbol = Symbol.for('AgentMiddleware') as never

type AgentState = { readonly messages: readonly ChainMessage[]; readonly pithState?: unknown }
type ModelRequest = {
  readonly messages: ChainMessage[]
  readonly systemPrompt?: string
  readonly tools?: readonly unknown[]
  readonly state?: unknown
}

/**
 * Middleware for `createAgent` of LangChain: each call of the model gets messages that fit the window. The agent's own state
 * keeps all that was said; what Pith knows is beside it as `pithState`, so a checkpointer stores both. Summaries are written
 * by `summaryModels`; without them they are digests. A request that the provider refuses as too large is compacted and sent again.
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
  /** Only a call of the model shows the system prompt and the tools, and they have to be counted before the call. */
  let fixed: Pick<ListCall, 'system' | 'tools'> = {}
  let tools: ChainTools | undefined
  const keep = (messages: readonly ChainMessage[], state: unknown) =>
    keeper.fit(fromChain(messages), { ...fixed, usage: usageIn(messages), state })
  return {
    [BRAND]: true as const,
    name: 'PithCompaction',
    stateSchema: z.object({ pithState: z.unknown().optional() }),
    /** The state is written here: a call of the model cannot write it. */
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
