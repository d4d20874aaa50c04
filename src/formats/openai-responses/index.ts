import type { Format } from '../shared/format.ts'
import { readOpenAIResponses } from './read.ts'
import { writeOpenAIResponses } from './write.ts'

const ITEM_TYPES: ReadonlySet<unknown> = new Set([
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'item_reference',
])

export const openAIResponses = {
  name: 'openai-responses',
  label: 'OpenAI Responses',
  detect: {
    head: /"type"\s*:\s*"(?:function_call|function_call_output)"/,
    document: ({ input, history }) => Array.isArray(input) && !Array.isArray(history),
    item: (item) => ITEM_TYPES.has(item.type),
    parts: ['input_text', 'output_text'],
  },
  read: readOpenAIResponses,
  write: writeOpenAIResponses,
} as const satisfies Format
