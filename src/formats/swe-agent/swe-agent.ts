import type { Format } from '../shared/format.ts'
import { detectSweAgent } from './detect.ts'
import { readSweAgent } from './read.ts'

export const sweAgent = {
  name: 'swe-agent',
  label: 'SWE-agent',
  detect: detectSweAgent,
  read: readSweAgent,
} as const satisfies Format
