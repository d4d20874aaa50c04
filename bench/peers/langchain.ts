import { SimpleChatModel } from '@langchain/core/language_models/chat_models'
import {
  AIMessage,
  type BaseMessage,
  getBufferString,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { countTokensApproximately, summarizationMiddleware, trimMessages } from 'langchain'
import type { Peer, PeerTask } from '../harness/peer.ts'
import { complete } from './complete.ts'
import { type Message, outputText, partsOfType, resultMessage, textOf } from './text.ts'

const KEEP_TOKENS = 20_000

/** LangChain: `summarizationMiddleware` with its defaults, `trimMessages` and the counter that both use. */
export const peer: Peer<BaseMessage[]> = {
  label: 'LangChain',
  nativeOf: (messages) => messages.flatMap(native),
  messagesOf: (messages) => messages.map(ours),
  append: (messages, message) => void messages.push(...native(message)),
  count: (messages) => countTokensApproximately(messages),
  plan: async (messages) => {
    const options = { maxTokens: KEEP_TOKENS, tokenCounter: countTokensApproximately, startOn: 'human' as const }
    return messages.length - (await trimMessages(messages, { ...options, strategy: 'last' })).length
  },
  serialize: (messages) => getBufferString(messages),
  compact: async (messages, task) => {
    const keep = task.keepTokens === undefined ? {} : { keep: { tokens: task.keepTokens } }
    const middleware = summarizationMiddleware({ model: new ServedModel(task), trigger: { tokens: 1 }, ...keep })
    const hook = middleware.beforeModel as (state: unknown, runtime: unknown) => Promise<{ messages: BaseMessage[] }>
    const update = await hook({ messages: [...messages] }, { context: {} })
    // The first message removes all earlier ones.
    return update?.messages.slice(1) ?? messages
  },
  notes: {
    count: 'LangChain: `countTokensApproximately`: length ÷ 4.',
    plan: `LangChain: \`trimMessages\` to the last ${KEEP_TOKENS} tokens; it counts all that is left for every message that it drops.`,
    serialize: 'LangChain: `getBufferString`.',
    compact:
      'LangChain: `summarizationMiddleware` with its defaults: the last 20 messages are kept, and the summariser reads only the last 4,000 tokens of what goes.',
  },
}

class ServedModel extends SimpleChatModel {
  readonly #task: PeerTask

  constructor(task: PeerTask) {
    super({})
    this.#task = task
  }

  _llmType(): string {
    return 'served'
  }

  async _call(messages: BaseMessage[]): Promise<string> {
    return complete('', messages.map(({ content }) => String(content)).join('\n'), this.#task)
  }
}

function native(message: Message): BaseMessage[] {
  switch (message.role) {
    case 'system':
      return [new SystemMessage(textOf(message))]
    case 'user':
      return [new HumanMessage(textOf(message))]
    case 'assistant': {
      const calls = partsOfType(message, 'tool-call')
      const tool_calls = calls.map(({ toolCallId: id, toolName: name, input }) => ({
        id,
        name,
        args: input as Record<string, unknown>,
        type: 'tool_call' as const,
      }))
      return [new AIMessage({ content: textOf(message), tool_calls })]
    }
    case 'tool':
      return partsOfType(message, 'tool-result').map(
        ({ toolCallId, toolName, output }) =>
          new ToolMessage({ content: outputText(output), tool_call_id: toolCallId, name: toolName }),
      )
  }
}

function ours(message: BaseMessage): Message {
  const text = typeof message.content === 'string' ? message.content : JSON.stringify(message.content)
  if (ToolMessage.isInstance(message)) return resultMessage(message.tool_call_id, message.name ?? '', text)
  if (!AIMessage.isInstance(message))
    return { role: SystemMessage.isInstance(message) ? 'system' : 'user', content: text }
  const calls = (message.tool_calls ?? []).map(({ id = '', name, args: input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
  }))
  return { role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls] }
}
