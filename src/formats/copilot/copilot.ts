import type { Format } from '../shared/format.ts'
import { detectCopilot } from './detect.ts'
import { COPILOT_PLACES } from './places.ts'
import { countCopilot } from './prompts.ts'
import { readCopilot } from './read.ts'

export const copilot = {
  name: 'copilot',
  label: 'Copilot CLI',
  detect: detectCopilot,
  read: readCopilot,
  prompts: countCopilot,
  places: COPILOT_PLACES,
} as const satisfies Format
