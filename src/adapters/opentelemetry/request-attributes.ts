import { recordPlace } from '../../engine/record/record-place.ts'
import { isNativeCompaction } from '../../model/items.ts'
import { type JsonValue, type Message, outputText, type Part, partsOf } from '../../model/types.ts'

/** The parts of a request that are recorded. */
export type RequestAttributesOptions = {
  /** True to record the messages, too. They may contain personal data, so that the conventions ask for your consent. */
  readonly content?: boolean
  /** Changes each text that is recorded, for example `await loadRedactor()` of `pith`. */
  readonly redact?: (text: string) => string
}

/** The attributes of a request, by the names of OpenTelemetry's conventions for generative AI. */
export type RequestAttributes = {
  /** Absent unless the messages are a compacted view of the conversation: the conventions have no false. */
  'gen_ai.conversation.compacted'?: true
  /** The messages as JSON, with `content: true`. */
  'gen_ai.input.messages'?: string
}

/**
 * The attributes for the span of a request to a model: whether its messages are a compacted view of the conversation, and if you
 * ask for it the messages, in which a record of Pith or a provider's own compaction is a part of the type `compaction`. Pass the
 * messages that you send. Records of the presets of other systems have no mark, and are not recognised.
 *
 * @example
 * ```ts
 * import { fit } from 'pith'
 * import { requestAttributes } from 'pith/opentelemetry'
 *
 * const fitted = await fit(messages, { window: 200_000 })
 * const attributes = { 'gen_ai.operation.name': 'chat', ...requestAttributes(fitted.messages) }
 * ```
 */
export function requestAttributes(
  messages: readonly Message[],
  { content = false, redact = (text) => text }: RequestAttributesOptions = {},
): RequestAttributes {
  const isCompacted = messages.some((message) => partsOf(message).some((part) => isCompaction(part, message)))
  const recorded = content ? messages.map((message) => recordedMessage(message, redact)) : []
  return {
    ...(isCompacted ? { 'gen_ai.conversation.compacted': true } : {}),
    ...(content ? { 'gen_ai.input.messages': JSON.stringify(recorded) } : {}),
  }
}

function isCompaction(part: Part, { role }: Message): boolean {
  if (isNativeCompaction(part)) return true
  return role === 'user' && part.type === 'text' && recordPlace(part.text) !== undefined
}

function recordedMessage(message: Message, redact: (text: string) => string): JsonValue {
  const recorded = (part: Part) => (isCompaction(part, message) ? compactionPart(part, redact) : partOf(part, redact))
  return { role: message.role, parts: partsOf(message).map(recorded) }
}

/** The encrypted content of a provider is of no use to anybody else, so only its id is recorded. */
function compactionPart(part: Part, redact: (text: string) => string): JsonValue {
  if (part.type === 'text') return { type: 'compaction', content: redact(part.text) }
  const id = part.type === 'custom' ? part.providerOptions?.openai?.itemId : undefined
  return { type: 'compaction', ...(typeof id === 'string' ? { id } : {}) }
}

function partOf(part: Part, redact: (text: string) => string): JsonValue {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, content: redact(part.text) }
    case 'tool-call':
      return { type: 'tool_call', id: part.toolCallId, name: part.toolName, arguments: redactedIn(part.input, redact) }
    case 'tool-result':
      return { type: 'tool_call_response', id: part.toolCallId, response: redact(outputText(part.output)) }
    default:
      // Bytes of images and files would make every span large.
      return { type: part.type, ...('mediaType' in part ? { mime_type: part.mediaType ?? null } : {}) }
  }
}

/** A value with every text in it redacted. */
function redactedIn(value: unknown, redact: (text: string) => string): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null), (_, inner) => (typeof inner === 'string' ? redact(inner) : inner))
}
