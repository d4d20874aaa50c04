import type { DetectRules, Format } from '../shared/format.ts'
import { readAnthropic } from './read.ts'
import { writeAnthropic } from './write.ts'

const detectAnthropic: DetectRules = {
  head: /"type"\s*:\s*"(?:tool_use|tool_result)"/,
  parts: ['tool_use', 'tool_result', 'thinking', 'document'],
}

export const anthropic = {
  name: 'anthropic',
  label: 'Anthropic',
  detect: detectAnthropic,
  read: readAnthropic,
  write: writeAnthropic,
} as const satisfies Format
