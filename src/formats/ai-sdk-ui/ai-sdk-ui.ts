import type { Format } from '../shared/format.ts'
import { detectUIMessages } from './detect.ts'
import { readUIMessages } from './read.ts'

export const aiSdkUI = {
  name: 'ai-sdk-ui',
  label: 'AI SDK UI',
  detect: detectUIMessages,
  read: readUIMessages,
} as const satisfies Format
