import type { Format } from '../shared/format.ts'
import { readMiniSweAgent } from './read.ts'

export const miniSweAgent = {
  name: 'mini-swe-agent',
  label: 'mini-SWE-agent',
  detect: {
    head: /"trajectory_format"\s*:\s*"mini-swe-agent|^\s*\{\s*"info"\s*:\s*\{\s*"exit_status"/,
    document: (document) => /^mini-swe-agent/.test(String(document.trajectory_format)),
  },
  read: readMiniSweAgent,
} as const satisfies Format
