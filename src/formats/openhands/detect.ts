import type { DetectRules } from '../shared/format.ts'

export const detectOpenHands: DetectRules = {
  line: (line) => Array.isArray(line.history) && ('instance_id' in line || 'instance' in line),
  head: /^\s*\{\s*"instance_id"\s*:/,
  item: (item) => 'observation' in item || ('action' in item && 'source' in item),
}
