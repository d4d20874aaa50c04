import type { DetectRules, Format } from '../shared/format.ts'
import { readSweAgent } from './read.ts'

const detectSweAgent: DetectRules = {
  head: /^\s*\{\s*"trajectory"\s*:\s*\[/,
  document: ({ trajectory, history }) => Array.isArray(trajectory) && Array.isArray(history),
}

export const sweAgent = {
  name: 'swe-agent',
  label: 'SWE-agent',
  detect: detectSweAgent,
  read: readSweAgent,
} as const satisfies Format
