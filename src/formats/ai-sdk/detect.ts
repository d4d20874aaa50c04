import type { DetectRules } from '../shared/format.ts'

export const detectAiSdk: DetectRules = {
  head: /"type"\s*:\s*"(?:tool-call|tool-result)"|^\s*(?:\[|\{\s*"messages"\s*:\s*\[)\s*\{[\s\S]*"role"\s*:\s*"(?:system|user|assistant)"/,
  parts: ['tool-call', 'tool-result', 'reasoning', 'file'],
  // A plain list of roles and texts is read the same as any of the message lists.
  list: (items) => items.length > 0 && items.every((item) => 'role' in item && 'content' in item),
}
