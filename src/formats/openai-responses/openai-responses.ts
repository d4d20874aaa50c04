import type { Format } from '../shared/format.ts'
import { detectOpenAIResponses } from './detect.ts'
import { readOpenAIResponses } from './read.ts'
import { writeOpenAIResponses } from './write.ts'

export const openAIResponses = {
  name: 'openai-responses',
  label: 'OpenAI Responses',
  detect: detectOpenAIResponses,
  read: readOpenAIResponses,
  write: writeOpenAIResponses,
} as const satisfies Format
