import {
  type FilePart,
  type ImagePart,
  outputText,
  type TextPart,
  type ToolCallPart,
  type ToolResultContent,
  type ToolResultOutput,
  type UserPart,
} from '../../model/types.ts'
import { toBase64 } from '../../model/values.ts'
import type { Fields } from './json.ts'

/** The bytes of an image or a file, or their address: every provider has these two forms. */
export type DataSource =
  | { readonly kind: 'data'; readonly data: string; readonly mediaType: string }
  | { readonly kind: 'url'; readonly url: string; readonly mediaType?: string }

/** An image from its bytes or its address. */
export function imagePart(source: DataSource): ImagePart {
  const image = source.kind === 'data' ? source.data : source.url
  return { type: 'image', image, mediaType: source.mediaType }
}

/** A file or an image inside a tool result. */
export function resultFile(source: DataSource): ToolResultContent {
  const { mediaType = 'application/octet-stream' } = source
  return source.kind === 'data'
    ? { type: 'file', data: { type: 'data', data: source.data }, mediaType }
    : { type: 'file-url', url: source.url, mediaType }
}

/** The source of a part's bytes; undefined for a reference that only one provider understands. */
export function sourceOf(part: ImagePart | FilePart | ToolResultContent): DataSource | undefined {
  switch (part.type) {
    case 'image':
      return located(part.image, part.mediaType ?? 'image/png')
    case 'file':
      return located(part.data, part.mediaType)
    case 'file-data':
    case 'image-data':
      return { kind: 'data', data: part.data, mediaType: part.mediaType }
    case 'file-url':
    case 'image-url':
      return { kind: 'url', url: part.url, mediaType: part.mediaType }
    default:
      return undefined
  }
}

/** The source for an address. A `data:` address contains the bytes. */
export function sourceOfUrl(url: string): DataSource {
  const match = /^data:([^;,]*);base64,/.exec(url.slice(0, 200))
  return match === null
    ? { kind: 'url', url }
    : { kind: 'data', data: url.slice(match[0].length), mediaType: match[1] || 'application/octet-stream' }
}

/** The address of a source; a `data:` address if it has bytes. */
export function urlOf(source: DataSource): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`
}

function located(value: unknown, mediaType: string): DataSource | undefined {
  if (typeof value === 'string') return fromText(value, mediaType)
  if (value instanceof URL) return fromText(value.href, mediaType)
  if (value instanceof Uint8Array) return { kind: 'data', data: toBase64(value), mediaType }
  if (value instanceof ArrayBuffer) return { kind: 'data', data: toBase64(new Uint8Array(value)), mediaType }
  if (typeof value !== 'object' || value === null) return undefined
  if ('data' in value) return located(value.data, mediaType)
  if ('url' in value) return located(value.url, mediaType)
  return undefined
}

function fromText(value: string, mediaType: string): DataSource {
  if (value.startsWith('data:')) return sourceOfUrl(value)
  return /^https?:\/\//.test(value) ? { kind: 'url', url: value, mediaType } : { kind: 'data', data: value, mediaType }
}

/** A call of a tool, from fields that may be missing in a file. */
export function callPart(id: unknown, name: unknown, input: unknown): ToolCallPart {
  return { type: 'tool-call', toolCallId: String(id ?? ''), toolName: String(name ?? ''), input: input ?? {} }
}

/** A tool's result from its contents: one text stays a text, an error is always one. */
export function outputOf(contents: readonly ToolResultContent[], failed = false): ToolResultOutput {
  const [only] = contents
  if (failed) return { type: 'error-text', value: outputText({ type: 'content', value: [...contents] }) }
  if (only === undefined) return { type: 'text', value: '' }
  return contents.length === 1 && only.type === 'text'
    ? { type: 'text', value: only.text }
    : { type: 'content', value: [...contents] }
}

/** A tool's result that is one text. */
export function textOutput(value: string, failed = false): ToolResultOutput {
  return { type: failed ? 'error-text' : 'text', value }
}

/** The same result with the exit status that the agent stores separately from the text. */
export function withExit(output: ToolResultOutput, agent: string, exit: unknown): ToolResultOutput {
  return Number.isInteger(exit) ? { ...output, providerOptions: { [agent]: { exitCode: Number(exit) } } } : output
}

/** True for a result that says that the tool failed or was not run. */
export function isFailure({ type }: ToolResultOutput): boolean {
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied'
}

/** The contents of a result. An output that is not a list is one text. */
export function contentsOf(output: ToolResultOutput): readonly ToolResultContent[] {
  return output.type === 'content' ? output.value : [{ type: 'text', text: outputText(output) }]
}

/** The arguments of a call from their JSON text. Arguments that were broken off stay a text. */
export function inputOf(json: unknown): unknown {
  if (typeof json !== 'string') return json ?? {}
  if (json.trim() === '') return {}
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

/** The content of a user's message: a single text stays a text. */
export function contentOfParts(parts: readonly UserPart[]): string | UserPart[] {
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' ? only.text : [...parts]
}

/** A longer text without a space is encoded bytes, which no model reads as text. */
const LONGEST_WORD = 2_000

/** A text instead of a block of an unknown kind, so that the block is counted and can be summarised. */
export function placeholderPart(block: Fields): TextPart {
  const { type, ...rest } = block
  const text = JSON.stringify(rest, (_key, value) =>
    typeof value === 'string' && value.length > LONGEST_WORD && !/\s/.test(value.slice(0, LONGEST_WORD))
      ? `… ${value.length} characters`
      : value,
  )
  return { type: 'text', text: `[${String(type ?? 'part')}] ${text}` }
}
