import type { Format } from '../shared/format.ts'
import { detectOpenAIChat } from './detect.ts'
import { readOpenAIChat } from './read.ts'
import { writeOpenAIChat } from './write.ts'

export const openAIChat = {
  name: 'openai-chat',
  label: 'OpenAI chat',
  detect: detectOpenAIChat,
  read: readOpenAIChat,
  write: writeOpenAIChat,
} as const satisfies Format
