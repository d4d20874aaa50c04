import { z } from 'zod'

const cached = { cache_control: z.looseObject({ type: z.literal('ephemeral') }).nullish() }

const textBlock = z.strictObject({ type: z.literal('text'), text: z.string(), ...cached })

const block = z.discriminatedUnion('type', [
  textBlock,
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown(), 'Input should be a valid dictionary'),
    ...cached,
  }),
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z
      .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
      .optional(),
    is_error: z.boolean().optional(),
    ...cached,
  }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({ type: z.literal('compaction'), content: z.string().min(1).nullable(), ...cached }),
  z.looseObject({ type: z.literal('image'), ...cached }),
  z.looseObject({ type: z.literal('document'), ...cached }),
])
export type Block = z.output<typeof block>

const message = z.strictObject({
  // A wrong role is reported in the provider's own words.
  role: z.string(),
  content: z.union([z.string(), z.array(block)]),
})

const tool = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  ...cached,
})

/** A request of the Messages API, with the fields that an agent uses. */
export type AnthropicBody = z.output<typeof anthropicBody>
export const anthropicBody = z.looseObject({
  model: z.string(),
  max_tokens: z.number().int().positive(),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  messages: z.array(message),
  tools: z.array(tool).optional(),
  tool_choice: z.unknown().optional(),
  thinking: z.unknown().optional(),
  stream: z.boolean().nullish(),
})

/** The blocks of a message; a plain text is one block. */
export function blocksOf(content: string | readonly Block[]): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}
