import type { ContextState } from '../../fit/state/context-state.ts'
import { type Conversation, openConversation } from '../../fit/state/conversation.ts'
import { fromModelMessages, toModelMessages } from '../../formats/ai-sdk/foreign-parts.ts'
import { fields, text } from '../../formats/shared/json.ts'
import type { Message, ToolSchema, Usage } from '../../model/types.ts'
import { sameData } from '../../model/values.ts'
import { type KeeperOptions, type KeptList, ListKeeper, leadingIn, MOST_OVERFLOWS } from '../shared/list-keeper.ts'
import { RECALL_DESCRIPTION, RECALL_FIELDS, recallAnswer, recallFrom, recallInput } from '../shared/recall.ts'

/** A message of a prompt, in the AI SDK's form. */
type PromptMessage = { readonly role: Message['role']; readonly content: unknown }

/** The part of Mastra's `RequestContext` that is read: it has the thread of the memory. */
type RequestContext = { readonly get: (key: string) => unknown }

/** The list that was last sent in a run and, if it was refused, the smaller one to send next. */
type Run = { kept: KeptList; again?: KeptList }

/** The facts about a run that Mastra passes to a processor. Each run has its own `state` object; several runs may share a context. */
type RunFacts = { readonly requestContext?: RequestContext; readonly state?: object }

/** The part of Mastra's answer that is read. One that was replayed from a cache has the counts of another request. */
type ModelAnswer = RunFacts & {
  readonly chunks: readonly { readonly type: string; readonly payload?: unknown }[]
  readonly fromCache?: boolean
}

type ApiError = RunFacts & { readonly error: unknown; readonly retryCount: number }

/**
 * An input processor for agents of Mastra: each call of the model gets a prompt that fits the window. Mastra's memory still has
 * all messages, because only the prompt of the call is changed. Pith's state of a thread is in `options.states` under the
 * thread's id. The `summaryModels` write the summaries; without them, summaries are digests. Add the processor to the agent's
 * `errorProcessors`, too: then a request that the provider refuses as too large is compacted and sent again.
 *
 * @example
 * ```js
 * import { Agent } from '@mastra/core/agent'
 * import { compactionProcessor } from 'pith/mastra'
 *
 * const states = new Map() // or get and set of a database
 * const pith = compactionProcessor({ window: 200_000, states })
 * const agent = new Agent({
 *   id: 'coder',
 *   name: 'coder',
 *   instructions: 'You write code.',
 *   model: 'openai/gpt-5',
 *   inputProcessors: [pith],
 *   errorProcessors: [pith],
 * })
 * ```
 */
export function compactionProcessor(options: KeeperOptions) {
  const keeper = new ListKeeper('compactionProcessor', options)
  const runs = new WeakMap<object, Run>()
  /** The run of each context: Mastra passes only the context to tools. */
  const runIn = new WeakMap<RequestContext, object | 'several'>()
  const given = options.tools ?? []
  const isGiven = given.some(({ name }) => name === 'recall')
  const withRecall = isGiven ? given : [...given, RECALL_TOOL]
  let recalls = isGiven
  return {
    id: 'pith-compaction' as const,
    name: 'Pith compaction',
    processLLMRequest: async <Prompt extends readonly PromptMessage[]>({
      prompt,
      requestContext = NO_CONTEXT,
      state,
    }: RunFacts & { prompt: Prompt }) => {
      const said = fromModelMessages(prompt)
      const tools = recalls ? { tools: withRecall } : {}
      const key = state ?? requestContext
      const last = runs.get(key)
      if (last?.again !== undefined && sameData(last.again.given, said)) {
        last.kept = last.again
        last.again = undefined
        return { prompt: promptOf<Prompt>(last.kept) }
      }
      const kept = await keeper.fit(said, { thread: threadOf(requestContext), run: state, ...tools })
      runs.set(key, { kept })
      runIn.set(requestContext, (runIn.get(requestContext) ?? key) === key ? key : 'several')
      return { prompt: promptOf<Prompt>(kept) }
    },
    /** Reads the provider's count for the answer. It is in the last chunks. */
    processLLMResponse: async ({
      chunks,
      requestContext = NO_CONTEXT,
      state = requestContext,
      fromCache,
    }: ModelAnswer) => {
      const run = runs.get(state)
      const usage = fromCache === true ? undefined : usageIn(chunks)
      if (run !== undefined && usage !== undefined) keeper.report(run.kept, usage)
    },
    /** After `retry: true`, Mastra calls `processLLMRequest` again, which then returns the smaller list. */
    processAPIError: async ({ error, retryCount, requestContext = NO_CONTEXT, state = requestContext }: ApiError) => {
      const run = runs.get(state)
      const again = run && retryCount < MOST_OVERFLOWS ? await keeper.refit(error, run.kept) : undefined
      if (run !== undefined) run.again = again
      return { retry: again !== undefined }
    },
    /**
     * The argument for Mastra's `createTool` that makes the tool `recall`. With it, the agent reads compacted or cut messages
     * again, word for word. Once you read this property, records mention the tool. It answers only if no other run has had the
     * same request context.
     */
    get recall() {
      recalls = true
      return {
        id: 'recall' as const,
        description: RECALL_DESCRIPTION,
        inputSchema: RECALL_INPUT,
        execute: (input: unknown, context?: { readonly requestContext?: RequestContext }): Promise<string> => {
          const key = context?.requestContext && runIn.get(context.requestContext)
          if (key === 'several') return recallAnswer(undefined, {}, SHARED_CONTEXT)
          const run = key && runs.get(key)
          return recallAnswer(run && recallFrom(conversationOf(run.kept)), recallInput(input), NOT_PREPARED)
        },
      }
    },
    /**
     * The state of the only conversation that was prepared: JSON for `options.state` of the next process. Undefined, with a
     * warning, if there were several: `options.states` has them by thread.
     */
    state: (): ContextState | undefined => keeper.state(),
  }
}

const SHARED_CONTEXT =
  'Pith cannot know which conversation this is: several runs had this request context. Give each run a RequestContext of its own.'
const NOT_PREPARED =
  'Pith does not know this conversation: its processor has not seen a request with this request context. Put the processor that has this tool among the agent’s inputProcessors.'

function promptOf<Prompt>({ messages }: KeptList): Prompt {
  return toModelMessages(messages).map(inParts) as unknown as Prompt
}

/** Used if Mastra passes no context. */
const NO_CONTEXT: RequestContext = { get: () => undefined }

function conversationOf({ given, state }: KeptList): Conversation {
  return openConversation(given, { state, leading: leadingIn(given) })
}

const RECALL_INPUT: RecallInputSchema = {
  type: 'object',
  properties: {
    handles: { type: 'string', description: RECALL_FIELDS.handles },
    search: { type: 'string', description: RECALL_FIELDS.search },
    offset: { type: 'integer', minimum: 0, description: RECALL_FIELDS.offset },
  },
}

/** The schema of `recall` as JSON. */
export type RecallInputSchema = {
  type: 'object'
  properties: Record<
    'handles' | 'search' | 'offset',
    { type: 'string' | 'integer'; minimum?: number; description: string }
  >
}

const RECALL_TOOL: ToolSchema = { name: 'recall', description: RECALL_DESCRIPTION, inputSchema: RECALL_INPUT }

function usageIn(chunks: ModelAnswer['chunks']): Partial<Usage> | undefined {
  const finish = chunks.findLast(({ type }) => type === 'finish')
  return fields(fields(fields(finish?.payload)?.output)?.usage)
}

function threadOf(context: RequestContext | undefined): string | undefined {
  const { thread } = fields(context?.get('MastraMemory')) ?? {}
  return text(fields(thread)?.id)
}

/** The engine writes a text as a plain string, but a prompt has only parts. */
function inParts(message: Message): Message {
  if (message.role === 'system' || typeof message.content !== 'string') return message
  return { ...message, content: [{ type: 'text', text: message.content }] } as Message
}
