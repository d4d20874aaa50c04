import type { Format } from '../shared/format.ts'
import { detectOpenHands } from './detect.ts'
import { readOpenHands } from './read.ts'

export const openHands = {
  name: 'openhands',
  label: 'OpenHands',
  detect: detectOpenHands,
  read: readOpenHands,
} as const satisfies Format
