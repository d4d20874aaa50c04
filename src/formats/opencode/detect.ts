import type { DetectRules } from '../shared/format.ts'
import { fields, objects } from '../shared/json.ts'

export const detectOpencode: DetectRules = {
  head: /^\s*\{\s*"info"\s*:\s*\{[\s\S]*"(?:projectID|slug)"\s*:/,
  document: ({ info, messages }) =>
    fields(info) !== undefined && objects(messages).some((message) => 'parts' in message && 'info' in message),
}
