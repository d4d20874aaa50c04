import { z } from 'zod'

const content = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])

const call = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
})

const item = z.union([
  z.looseObject({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content,
  }),
  call,
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: content }),
  z.looseObject({
    type: z.literal('reasoning'),
    id: z.string().optional(),
    summary: z.array(z.looseObject({ type: z.literal('summary_text'), text: z.string() })),
    encrypted_content: z.string().nullish(),
  }),
  z.looseObject({ type: z.literal('tool_search_call'), call_id: z.string(), arguments: z.unknown() }),
  z.strictObject({ type: z.literal('item_reference'), id: z.string() }),
  z.strictObject({
    type: z.literal('compaction'),
    id: z.string().nullish(),
    encrypted_content: z.string().regex(/^(?!pith)/),
  }),
])
export type Item = z.output<typeof item>

/** A request of the Responses API, with the fields that an agent uses. */
export type ResponsesBody = z.output<typeof responsesBody>
export const responsesBody = z.looseObject({
  model: z.string(),
  instructions: z.string().nullish(),
  input: z.array(item),
  tools: z
    .array(
      z.union([
        z.looseObject({
          type: z.literal('function'),
          name: z.string(),
          description: z.string().nullish(),
          parameters: z.looseObject({ type: z.literal('object') }),
        }),
        // Tools of the provider, and those whose input is a plain text.
        z.looseObject({ type: z.string().refine((type) => type !== 'function'), name: z.string().optional() }),
      ]),
    )
    .optional(),
  max_output_tokens: z.number().int().positive().nullish(),
  prompt_cache_key: z.string().nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
})

type Tool = NonNullable<ResponsesBody['tools']>[number]

export function isFunction(tool: Tool): tool is Extract<Tool, { parameters: object }> {
  return tool.type === 'function'
}

export type MessageItem = Extract<Item, { role: string }>

export function isMessage(value: Item): value is MessageItem {
  return 'role' in value
}

export function isSystem(value: Item): boolean {
  return isMessage(value) && (value.role === 'system' || value.role === 'developer')
}

/** The text of an item's content or output. */
export function contentText(value: z.output<typeof content>): string {
  return typeof value === 'string' ? value : value.map(({ text = '' }) => text).join('\n')
}
