import type { Format } from '../shared/format.ts'
import { listWriter } from '../shared/message-list.ts'
import { readAiSdk } from './read.ts'

/** Writes the messages that would be sent as they are: our messages are those of the AI SDK. */
const writeAiSdk = listWriter((messages) => messages)

export const aiSdk = {
  name: 'ai-sdk',
  label: 'AI SDK',
  detect: {
    head: /"type"\s*:\s*"(?:tool-call|tool-result)"|^\s*(?:\[|\{\s*"messages"\s*:\s*\[)\s*\{[\s\S]*"role"\s*:\s*"(?:system|user|assistant)"/,
    parts: ['tool-call', 'tool-result', 'reasoning', 'file'],
    // A plain list of roles and texts is read the same as any of the message lists.
    list: (items) => items.length > 0 && items.every((item) => 'role' in item && 'content' in item),
  },
  read: readAiSdk,
  write: writeAiSdk,
} as const satisfies Format
