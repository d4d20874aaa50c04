import type { Format } from '../shared/format.ts'
import { readSweAgent } from './read.ts'

export const sweAgent = {
  name: 'swe-agent',
  label: 'SWE-agent',
  detect: {
    head: /^\s*\{\s*"trajectory"\s*:\s*\[/,
    document: ({ trajectory, history }) => Array.isArray(trajectory) && Array.isArray(history),
  },
  read: readSweAgent,
} as const satisfies Format
