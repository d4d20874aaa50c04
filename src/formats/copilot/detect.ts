import type { DetectRules } from '../shared/format.ts'

export const detectCopilot: DetectRules = {
  line: ({ type, data }) =>
    typeof type === 'string' && /^(?:session|user|assistant|tool|system)\.\w+$/.test(type) && data !== undefined,
  head: /^\s*\{\s*"type"\s*:\s*"session\.start"/,
}
