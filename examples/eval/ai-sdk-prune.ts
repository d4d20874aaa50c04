/**
 * The AI SDK's own way: `pruneMessages` drops tool calls and their results, except in the last two messages. It counts no tokens.
 * npm install ai && pith eval --compactor ./ai-sdk-prune.ts
 */
import { type ModelMessage, pruneMessages } from 'ai'

/** It has no target to keep. */
export const ignoresTarget = true

export default function compact(messages: ModelMessage[]): ModelMessage[] {
  return pruneMessages({
    messages,
    reasoning: 'before-last-message',
    toolCalls: 'before-last-2-messages',
    emptyMessages: 'remove',
  })
}
