import { openConversation } from '../../fit/state/conversation.ts'
import { RECALL_DESCRIPTION, type RecallInput, recallAnswer, recallFrom, recallSchema } from '../shared/recall.ts'
import { type ChainMessage, fromChain } from './message-form.ts'

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
