import { type ModelMessage, pruneMessages } from 'ai'
import type { Peer } from '../harness/peer.ts'

/** The AI SDK's only compaction is `pruneMessages`. It uses no model and counts no tokens: it drops messages by position. */
export const peer: Peer<ModelMessage[]> = {
  label: 'AI SDK',
  nativeOf: (messages) => messages as ModelMessage[],
  messagesOf: (native) => native as never,
  append: (native, message) => void native.push(message as ModelMessage),
  compact: async (messages) =>
    pruneMessages({
      messages,
      reasoning: 'before-last-message',
      toolCalls: 'before-last-2-messages',
      emptyMessages: 'remove',
    }),
  notes: {
    compact:
      'AI SDK: `pruneMessages` with reasoning before the last message and calls before the last 2 dropped; it asks no model, looks at no token count and summarises nothing.',
  },
}
