import type { DetectRules } from '../shared/format.ts'
import { fields } from '../shared/json.ts'

/** The lines are a tree as those of Claude Code are; what was said is in the form of Google's API. */
export const detectQwenCode: DetectRules = {
  line: (line) =>
    'uuid' in line && 'parentUuid' in line && ('systemPayload' in line || Array.isArray(fields(line.message)?.parts)),
  head: /^\s*\{\s*"uuid"\s*:[^{}]*"message"\s*:\s*\{\s*"role"\s*:\s*"user",\s*"parts"/,
}
