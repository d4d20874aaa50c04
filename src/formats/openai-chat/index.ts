import type { Format } from '../shared/format.ts'
import { readOpenAIChat } from './read.ts'
import { writeOpenAIChat } from './write.ts'

export const openAIChat = {
  name: 'openai-chat',
  label: 'OpenAI chat',
  detect: {
    head: /"tool_calls"\s*:|"tool_call_id"\s*:/,
    item: (item) => 'tool_calls' in item || 'tool_call_id' in item || item.role === 'developer',
    parts: ['image_url'],
  },
  read: readOpenAIChat,
  write: writeOpenAIChat,
} as const satisfies Format
