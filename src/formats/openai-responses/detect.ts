import type { DetectRules } from '../shared/format.ts'

const ITEM_TYPES: ReadonlySet<unknown> = new Set([
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'item_reference',
])

export const detectOpenAIResponses: DetectRules = {
  head: /"type"\s*:\s*"(?:function_call|function_call_output)"/,
  document: ({ input, history }) => Array.isArray(input) && !Array.isArray(history),
  item: (item) => ITEM_TYPES.has(item.type),
  parts: ['input_text', 'output_text'],
}
