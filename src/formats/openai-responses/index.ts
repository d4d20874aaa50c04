import type { DetectRules, Format } from '../shared/format.ts'
import { readOpenAIResponses } from './read.ts'
import { writeOpenAIResponses } from './write.ts'

const ITEM_TYPES: ReadonlySet<unknown> = new Set([
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'item_reference',
])

const detectOpenAIResponses: DetectRules = {
  head: /"type"\s*:\s*"(?:function_call|function_call_output)"/,
  document: ({ input, history }) => Array.isArray(input) && !Array.isArray(history),
  item: (item) => ITEM_TYPES.has(item.type),
  parts: ['input_text', 'output_text'],
}

export const openAIResponses = {
  name: 'openai-responses',
  label: 'OpenAI Responses',
  detect: detectOpenAIResponses,
  read: readOpenAIResponses,
  write: writeOpenAIResponses,
} as const satisfies Format
