import { fromModelMessages, toModelMessages } from '../../formats/ai-sdk/foreign-parts.ts'
import type { Message } from '../../model/message.ts'
import { type KeeperOptions, ListKeeper } from '../shared/list-keeper.ts'

/** A message of a prompt: the AI SDK's form, with parts only. */
type PromptMessage = { readonly role: Message['role']; readonly content: unknown }

/**
 * An input processor for agents of Mastra: each call of the model gets a prompt that fits the window. Mastra's memory keeps
 * all that was said, because only the prompt of the call is changed.
 */
export function compactionProcessor(options: KeeperOptions) {
  const keeper = new ListKeeper('compactionProcessor', options)
  return {
    id: 'pith-compaction',
    name: 'Pith compaction',
    processLLMRequest: async <Prompt extends readonly PromptMessage[]>({ prompt }: { prompt: Prompt }) => {
      const { messages } = await keeper.fit(fromModelMessages(prompt))
      return { prompt: toModelMessages(messages).map(inParts) as unknown as Prompt }
    },
  }
}

/** The engine writes a text as a plain string; a prompt has parts only. */
function inParts(message: Message): Message {
  if (message.role === 'system' || typeof message.content !== 'string') return message
  return { ...message, content: [{ type: 'text', text: message.content }] } as Message
}
