/**
 * Messages have the shape of the AI SDK's `ModelMessage`, so that its users need not convert anything.
 * `messageSchema` (message-schema.ts) parses them and makes them safe to store as JSON.
 */

export type JsonValue = null | string | number | boolean | Readonly<JsonObject> | readonly JsonValue[]
export type JsonObject = { [key: string]: JsonValue | undefined }
export type ProviderOptions = Record<string, JsonObject>

type Extra = { providerOptions?: ProviderOptions }
type Bytes = string | Uint8Array | ArrayBuffer
type ProviderReference = Record<string, string>

/** The bytes of an image or a file, a URL of it, or the provider's name for it. */
export type FileData =
  | { type: 'data'; data: Bytes }
  | { type: 'url'; url: URL }
  | { type: 'reference'; reference: ProviderReference }
  | { type: 'text'; text: string }

export type TextPart = Extra & { type: 'text'; text: string }
export type ImagePart = Extra & { type: 'image'; image: Bytes | URL | ProviderReference; mediaType?: string }
export type FilePart = Extra & {
  type: 'file'
  data: FileData | Bytes | URL | ProviderReference
  filename?: string
  mediaType: string
}
export type ReasoningPart = Extra & { type: 'reasoning'; text: string }
export type ReasoningFilePart = Extra & {
  type: 'reasoning-file'
  data: Extract<FileData, { type: 'data' | 'url' }> | Bytes | URL
  mediaType: string
}
export type CustomPart = Extra & { type: 'custom'; kind: `${string}.${string}` }
export type ToolCallPart = Extra & {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: unknown
  providerExecuted?: boolean
}
export type ToolResultPart = Extra & {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: ToolResultOutput
}
export type ToolApprovalRequest = {
  type: 'tool-approval-request'
  approvalId: string
  toolCallId: string
  reason?: string
  isAutomatic?: boolean
  signature?: string
  inputSchemaInput?: unknown
}
export type ToolApprovalResponse = {
  type: 'tool-approval-response'
  approvalId: string
  approved: boolean
  reason?: string
  providerExecuted?: boolean
}

export type ToolResultOutput = Extra &
  (
    | { type: 'text' | 'error-text'; value: string }
    | { type: 'json' | 'error-json'; value: JsonValue }
    | { type: 'execution-denied'; reason?: string }
    | { type: 'content'; value: ToolResultContent[] }
  )

/** We read only some kinds of the AI SDK's content; the others (files, images, references) are kept unchanged. */
export type ToolResultContent =
  | (Extra & { type: 'text'; text: string })
  | (Extra & { type: 'file'; data: FileData; mediaType: string; filename?: string })
  | (Extra & { type: 'file-data' | 'image-data'; data: string; mediaType: string; filename?: string })
  | (Extra & { type: 'file-url' | 'image-url'; url: string; mediaType?: string })
  | (Extra & { type: 'file-id' | 'image-file-id'; fileId: string | Record<string, string> })
  | (Extra & { type: 'file-reference' | 'image-file-reference'; providerReference: ProviderReference })
  | (Extra & { type: 'custom' })

export type UserPart = TextPart | ImagePart | FilePart
export type AssistantPart =
  | TextPart
  | CustomPart
  | FilePart
  | ReasoningPart
  | ReasoningFilePart
  | ToolCallPart
  | ToolResultPart
  | ToolApprovalRequest
export type ToolPart = ToolResultPart | ToolApprovalResponse
export type Part = UserPart | AssistantPart | ToolPart

export type SystemMessage = Extra & { role: 'system'; content: string }
export type UserMessage = Extra & { role: 'user'; content: string | UserPart[] }
export type AssistantMessage = Extra & { role: 'assistant'; content: string | AssistantPart[] }
export type ToolMessage = Extra & { role: 'tool'; content: ToolPart[] }

/** A message in the AI SDK's form (`ModelMessage`). */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** The parts of a message; a plain string is one text part. */
export function partsOf(message: Message): readonly Part[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
}

/** The tool calls in a message. */
export function callsOf(message: Message): readonly ToolCallPart[] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return []
  return message.content.filter((part) => part.type === 'tool-call')
}

/** The tool results in a message: in a tool message, or in an assistant's for a tool that the provider ran. */
export function resultsOf(message: Message): readonly ToolResultPart[] {
  if (typeof message.content === 'string' || (message.role !== 'assistant' && message.role !== 'tool')) return []
  return (message.content as readonly Part[]).filter((part) => part.type === 'tool-result')
}

/** The text of a message: its text parts, without reasoning, calls and results. */
export function textOf(message: Message): string {
  if (typeof message.content === 'string') return message.content
  let text: string | undefined
  for (const part of message.content) {
    if (part.type === 'text') text = text === undefined ? part.text : `${text}\n${part.text}`
  }
  return text ?? ''
}

/** The text of a tool result as the model reads it. */
export function outputText(output: ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return jsonText(output.value)
    case 'execution-denied':
      return output.reason ?? 'Execution denied.'
    case 'content':
      return output.value.map((content) => (content.type === 'text' ? content.text : `[${content.type}]`)).join('\n')
  }
}

/** The JSON text of a value; the empty text for a value that JSON cannot express (undefined, a cycle, a BigInt). */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** A tool as it is declared to the model. The schema is counted as JSON. */
export type ToolSchema = { name: string; description?: string | undefined; inputSchema?: unknown }

/** The parts of every request besides the view. They cannot be compacted. */
export type Fixed = {
  readonly system?: string
  readonly tools?: readonly ToolSchema[]
  /** From `AGENTS.md`. */
  readonly instructions?: string
  /** From `MEMORY.md`. */
  readonly memory?: string
}
