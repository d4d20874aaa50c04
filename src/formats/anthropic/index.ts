import type { Format } from '../shared/format.ts'
import { readAnthropic } from './read.ts'
import { writeAnthropic } from './write.ts'

export const anthropic = {
  name: 'anthropic',
  label: 'Anthropic',
  detect: {
    head: /"type"\s*:\s*"(?:tool_use|tool_result)"/,
    parts: ['tool_use', 'tool_result', 'thinking', 'document'],
  },
  read: readAnthropic,
  write: writeAnthropic,
} as const satisfies Format
