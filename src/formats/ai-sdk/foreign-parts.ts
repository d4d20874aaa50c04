import type { JsonObject, Message, Part, ToolResultOutput, ToolResultPart } from '../../model/types.ts'

const PARTS: ReadonlySet<string> = new Set<Part['type']>([
  'text',
  'image',
  'file',
  'custom',
  'reasoning',
  'reasoning-file',
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
])
const OUTPUTS: ReadonlySet<string> = new Set<ToolResultOutput['type']>([
  'text',
  'json',
  'content',
  'error-text',
  'error-json',
  'execution-denied',
])
const KIND = 'pith.foreign'

/** A message of the AI SDK as it comes, with parts of any version. */
type ModelMessageInput = { readonly role: Message['role']; readonly content: unknown }

/** Model messages of the AI SDK as ours. They are the same, except that unknown parts are wrapped. */
export function fromModelMessages(messages: readonly ModelMessageInput[]): Message[] {
  return messages.map((message) => wrapForeign(message as Message))
}

/** Our messages as model messages of the AI SDK, with wrapped parts unwrapped. */
export function toModelMessages(messages: readonly Message[]): Message[] {
  return messages.map(unwrapForeign)
}

/** A message for our engine: a part or output of a kind that it does not know is carried along in a wrapper. */
export function wrapForeign(message: Message): Message {
  if (typeof message.content === 'string') return message
  const parts: readonly Part[] = message.content
  if (parts.every(isKnown)) return message
  return withParts(message, parts.map(wrap))
}

/** The original message, without wrappers. */
export function unwrapForeign(message: Message): Message {
  if (typeof message.content === 'string') return message
  const parts: readonly Part[] = message.content
  return parts.every((part) => unwrap(part) === part) ? message : withParts(message, parts.map(unwrap))
}

function isKnown(part: Part): boolean {
  return PARTS.has(part.type) && (part.type !== 'tool-result' || OUTPUTS.has(part.output.type))
}

function wrap(part: Part): Part {
  if (isKnown(part)) return part
  if (part.type === 'tool-result') return { ...part, output: contentOf(part) }
  return { type: 'custom', kind: KIND, providerOptions: { pith: { part: part as unknown as JsonObject } } }
}

/** Only the output is wrapped, so that the result stays with its call. */
function contentOf({ output }: ToolResultPart): ToolResultOutput {
  return {
    type: 'content',
    value: [{ type: 'custom', providerOptions: { pith: { output: output as unknown as JsonObject } } }],
  }
}

function unwrap(part: Part): Part {
  if (part.type === 'custom' && part.kind === KIND) return (part.providerOptions?.pith?.part ?? part) as Part
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part
  const [content] = part.output.value
  const output = content?.type === 'custom' ? content.providerOptions?.pith?.output : undefined
  return output === undefined ? part : { ...part, output: output as unknown as ToolResultOutput }
}

function withParts(message: Message, content: readonly Part[]): Message {
  return { ...message, content } as Message
}
