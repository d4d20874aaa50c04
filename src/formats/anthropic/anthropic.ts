import type { Format } from '../shared/format.ts'
import { detectAnthropic } from './detect.ts'
import { readAnthropic } from './read.ts'
import { writeAnthropic } from './write.ts'

export const anthropic = {
  name: 'anthropic',
  label: 'Anthropic',
  detect: detectAnthropic,
  read: readAnthropic,
  write: writeAnthropic,
} as const satisfies Format
