import type { Format } from '../shared/format.ts'
import { detectGemini } from './detect.ts'
import { GEMINI_PLACES } from './places.ts'
import { countGemini } from './prompts.ts'
import { readGemini } from './read.ts'

export const gemini = {
  name: 'gemini',
  label: 'Gemini CLI',
  detect: detectGemini,
  read: readGemini,
  prompts: countGemini,
  places: GEMINI_PLACES,
} as const satisfies Format
