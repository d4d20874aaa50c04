import type { DetectRules } from '../shared/format.ts'

export const detectSweAgent: DetectRules = {
  head: /^\s*\{\s*"trajectory"\s*:\s*\[/,
  document: ({ trajectory, history }) => Array.isArray(trajectory) && Array.isArray(history),
}
