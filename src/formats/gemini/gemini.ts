import type { Format } from '../shared/format.ts'
import { detectGemini } from './detect.ts'
import { GEMINI_PLACES } from './places.ts'
import { readGemini } from './read.ts'

export const gemini = {
  name: 'gemini',
  label: 'Gemini CLI',
  detect: detectGemini,
  read: readGemini,
  places: GEMINI_PLACES,
} as const satisfies Format
