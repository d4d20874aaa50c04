import type { Format } from '../shared/format.ts'
import { detectMiniSweAgent } from './detect.ts'
import { readMiniSweAgent } from './read.ts'

export const miniSweAgent = {
  name: 'mini-swe-agent',
  label: 'mini-SWE-agent',
  detect: detectMiniSweAgent,
  read: readMiniSweAgent,
} as const satisfies Format
