import { z } from 'zod'

const content = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])

const toolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
})

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content }),
  z.looseObject({ role: z.literal('user'), content }),
  z.looseObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    tool_calls: z.array(toolCall).min(1, 'empty array. Expected an array with minimum length 1').optional(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content }),
])
export type ChatMessage = z.output<typeof message>

/** A request for a chat completion, with the fields that an agent uses. */
export type ChatBody = z.output<typeof chatBody>
export const chatBody = z.looseObject({
  model: z.string(),
  messages: z.array(message),
  tools: z
    .array(
      z.looseObject({
        type: z.literal('function'),
        function: z.looseObject({
          name: z.string(),
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal('object') }).optional(),
        }),
      }),
    )
    .optional(),
  max_tokens: z.number().int().positive().optional(),
  max_completion_tokens: z.number().int().positive().optional(),
  prompt_cache_key: z.string().optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
})

/** The text of a message's content. */
export function contentText(value: ChatMessage['content']): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : value.map(({ text = '' }) => text).join('\n')
}
