import type { DetectRules } from '../shared/format.ts'

export const detectMiniSweAgent: DetectRules = {
  head: /"trajectory_format"\s*:\s*"mini-swe-agent|^\s*\{\s*"info"\s*:\s*\{\s*"exit_status"/,
  document: (document) => /^mini-swe-agent/.test(String(document.trajectory_format)),
}
