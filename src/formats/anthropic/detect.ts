import type { DetectRules } from '../shared/format.ts'

export const detectAnthropic: DetectRules = {
  head: /"type"\s*:\s*"(?:tool_use|tool_result)"/,
  parts: ['tool_use', 'tool_result', 'thinking', 'document'],
}
