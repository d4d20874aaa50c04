import { z } from 'zod'
import { parse } from './problems/parse.ts'
import type { JsonValue, Message } from './types.ts'
import { toBase64 } from './values.ts'

/**
 * Parses a message and makes it safe to store as JSON: bytes become base64, a `URL` becomes its text.
 * Unknown keys are kept: a provider's own data must come back unchanged.
 */
export const messageSchema: z.ZodType<Message> = z.lazy(() => message)

/** Parses a message, or says in one line what is wrong with it. */
export function parseMessage(value: unknown, what = 'message'): Message {
  return parse(messageSchema, value, { what, code: 'bad-message' })
}

const bytes = z.union([
  z.string(),
  z.instanceof(Uint8Array).transform(toBase64),
  z.instanceof(ArrayBuffer).transform((buffer) => toBase64(new Uint8Array(buffer))),
])
const url = z.union([z.string(), z.instanceof(URL).transform((value) => value.href)])
const reference = z.record(z.string(), z.string())

const fileData = z.union([
  bytes,
  url,
  z.looseObject({ type: z.literal('data'), data: bytes }),
  // A tagged URL would have to contain a `URL` object; the bare text means the same and survives JSON.
  z.object({ type: z.literal('url'), url }).transform((tagged) => tagged.url),
  z.looseObject({ type: z.literal('reference'), reference }),
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  reference,
])

const extra = { providerOptions: z.record(z.string(), z.record(z.string(), z.unknown())).optional() }

const text = z.looseObject({ type: z.literal('text'), text: z.string(), ...extra })
const image = z.looseObject({
  type: z.literal('image'),
  image: z.union([bytes, url, reference]),
  mediaType: z.string().optional(),
  ...extra,
})
const file = z.looseObject({
  type: z.literal('file'),
  data: fileData,
  filename: z.string().optional(),
  mediaType: z.string(),
  ...extra,
})
const reasoning = z.looseObject({ type: z.literal('reasoning'), text: z.string(), ...extra })
const reasoningFile = z.looseObject({
  type: z.literal('reasoning-file'),
  data: fileData,
  mediaType: z.string(),
  ...extra,
})
const custom = z.looseObject({ type: z.literal('custom'), kind: z.string(), ...extra })
const toolCall = z.looseObject({
  type: z.literal('tool-call'),
  toolCallId: z.string(),
  toolName: z.string(),
  input: z.unknown(),
  providerExecuted: z.boolean().optional(),
  ...extra,
})

const resultContent = z.union([
  text,
  z.looseObject({ type: z.literal('file'), data: fileData, mediaType: z.string(), ...extra }).transform(storableFile),
  z.looseObject({ type: z.string() }).refine((content) => content.type !== 'text' && content.type !== 'file', {
    message: 'is not a text or file',
  }),
])
const output = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['text', 'error-text']), value: z.string(), ...extra }),
  z.looseObject({ type: z.enum(['json', 'error-json']), value: z.unknown().transform(storableJson), ...extra }),
  z.looseObject({ type: z.literal('execution-denied'), reason: z.string().optional(), ...extra }),
  z.looseObject({ type: z.literal('content'), value: z.array(resultContent), ...extra }),
])
const toolResult = z.looseObject({
  type: z.literal('tool-result'),
  toolCallId: z.string(),
  toolName: z.string(),
  output,
  ...extra,
})
const approvalRequest = z.looseObject({
  type: z.literal('tool-approval-request'),
  approvalId: z.string(),
  toolCallId: z.string(),
})
const approvalResponse = z.looseObject({
  type: z.literal('tool-approval-response'),
  approvalId: z.string(),
  approved: z.boolean(),
})

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: z.string(), ...extra }),
  z.looseObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, file]))]),
    ...extra,
  }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.union([
      z.string(),
      z.array(
        z.discriminatedUnion('type', [
          text,
          custom,
          file,
          reasoning,
          reasoningFile,
          toolCall,
          toolResult,
          approvalRequest,
        ]),
      ),
    ]),
    ...extra,
  }),
  z.looseObject({
    role: z.literal('tool'),
    content: z.array(z.discriminatedUnion('type', [toolResult, approvalResponse])),
    ...extra,
  }),
]) as unknown as z.ZodType<Message>

/** Drops values that JSON cannot express (a field that is undefined), as sending it would. */
function storableJson(value: unknown): JsonValue {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? null : (JSON.parse(text) as JsonValue)
}

/** In a tool result, a file by URL has another tag, with the URL as text. */
function storableFile(content: { type: 'file'; data: unknown; mediaType: string }): Record<string, unknown> {
  if (typeof content.data !== 'string') return content
  const { data, type: _, ...rest } = content
  return { type: 'file-url', url: data, ...rest }
}
