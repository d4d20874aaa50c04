import type { Format } from '../shared/format.ts'
import { detectCodex } from './detect.ts'
import { CODEX_PLACES } from './places.ts'
import { countCodex } from './prompts.ts'
import { readCodex } from './read.ts'
import { writeCodex } from './write.ts'

export const codex = {
  name: 'codex',
  label: 'Codex',
  detect: detectCodex,
  read: readCodex,
  prompts: countCodex,
  write: writeCodex,
  resume: { folder: '~/.codex', command: ({ sessionId }) => ['codex', 'resume', sessionId] },
  places: CODEX_PLACES,
} as const satisfies Format
