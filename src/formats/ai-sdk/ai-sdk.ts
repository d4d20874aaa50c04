import type { Format } from '../shared/format.ts'
import { detectAiSdk } from './detect.ts'
import { readAiSdk } from './read.ts'
import { writeAiSdk } from './write.ts'

export const aiSdk = {
  name: 'ai-sdk',
  label: 'AI SDK',
  detect: detectAiSdk,
  read: readAiSdk,
  write: writeAiSdk,
} as const satisfies Format
