import type { DetectRules, Format } from '../shared/format.ts'
import { readOpenHands } from './read.ts'

const detectOpenHands: DetectRules = {
  line: (line) => Array.isArray(line.history) && ('instance_id' in line || 'instance' in line),
  head: /^\s*\{\s*"instance_id"\s*:/,
  item: (item) => 'observation' in item || ('action' in item && 'source' in item),
}

export const openHands = {
  name: 'openhands',
  label: 'OpenHands',
  detect: detectOpenHands,
  read: readOpenHands,
} as const satisfies Format
