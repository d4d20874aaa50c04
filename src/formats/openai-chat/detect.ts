import type { DetectRules } from '../shared/format.ts'

export const detectOpenAIChat: DetectRules = {
  head: /"tool_calls"\s*:|"tool_call_id"\s*:/,
  item: (item) => 'tool_calls' in item || 'tool_call_id' in item || item.role === 'developer',
  parts: ['image_url'],
}
