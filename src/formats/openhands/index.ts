import type { Format } from '../shared/format.ts'
import { readOpenHands } from './read.ts'

export const openHands = {
  name: 'openhands',
  label: 'OpenHands',
  detect: {
    line: (line) => Array.isArray(line.history) && ('instance_id' in line || 'instance' in line),
    head: /^\s*\{\s*"instance_id"\s*:/,
    item: (item) => 'observation' in item || ('action' in item && 'source' in item),
  },
  read: readOpenHands,
} as const satisfies Format
