import type { DetectRules, Format } from '../shared/format.ts'
import { readMiniSweAgent } from './read.ts'

const detectMiniSweAgent: DetectRules = {
  head: /"trajectory_format"\s*:\s*"mini-swe-agent|^\s*\{\s*"info"\s*:\s*\{\s*"exit_status"/,
  document: (document) => /^mini-swe-agent/.test(String(document.trajectory_format)),
}

export const miniSweAgent = {
  name: 'mini-swe-agent',
  label: 'mini-SWE-agent',
  detect: detectMiniSweAgent,
  read: readMiniSweAgent,
} as const satisfies Format
