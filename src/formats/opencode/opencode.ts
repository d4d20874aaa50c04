import type { Format } from '../shared/format.ts'
import { detectOpencode } from './detect.ts'
import { OPENCODE_PLACES } from './places.ts'
import { countOpencode } from './prompts.ts'
import { readOpencode } from './read.ts'

export const opencode = {
  name: 'opencode',
  label: 'opencode',
  detect: detectOpencode,
  read: readOpencode,
  prompts: countOpencode,
  places: OPENCODE_PLACES,
} as const satisfies Format
