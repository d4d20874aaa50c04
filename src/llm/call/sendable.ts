import type { ProviderKind } from '../../config/tables/provider-settings.ts'
import type {
  AssistantPart,
  Message,
  ToolPart,
  ToolResultContent,
  ToolResultPart,
  UserPart,
} from '../../model/types.ts'
import { isRecord } from '../../model/values.ts'

/**
 * A message in the form that this kind of provider accepts. Reasoning of another provider is left out, because this one cannot
 * verify it. A call whose arguments were not JSON is sent back as an object that quotes them.
 */
export function sendable(message: Message, kind: ProviderKind): Message {
  if (typeof message.content === 'string') return message
  switch (message.role) {
    case 'assistant':
      return { ...message, content: message.content.filter((part) => isOwn(part, kind)).map(sendablePart) }
    case 'user':
      return { ...message, content: message.content.map(imageAsFile) }
    case 'tool':
      return { ...message, content: message.content.map(sendableResult) }
    default:
      return message
  }
}

/** A tool result with its files in the SDK's current form. For each older form, the SDK would print a warning. */
export function sendableResult<P extends ToolPart | ToolResultPart>(part: P): P {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part
  const output: Content = { ...part.output, value: part.output.value.map(asFile) }
  return { ...part, output }
}

type Content = Extract<ToolResultPart['output'], { type: 'content' }>

function isOwn(part: AssistantPart, kind: ProviderKind): boolean {
  if (part.type !== 'reasoning' && part.type !== 'reasoning-file') return true
  // Providers with the OpenAI-compatible protocol do not sign reasoning.
  if (kind === 'openai-compatible') return part.providerOptions === undefined
  return part.providerOptions?.[kind] !== undefined
}

function sendablePart(part: AssistantPart): AssistantPart {
  if (part.type === 'tool-result') return sendableResult(part)
  if (part.type !== 'tool-call' || isRecord(part.input)) return part
  return { ...part, input: { invalid_arguments: part.input ?? '' } }
}

/** The SDK accepts images as files, and prints a warning for each in the older form. */
function imageAsFile(part: UserPart): UserPart {
  if (part.type !== 'image') return part
  const { image, type: _, ...rest } = part
  return { ...rest, type: 'file', data: image, mediaType: part.mediaType ?? 'image' }
}

function asFile(content: ToolResultContent): ToolResultContent {
  switch (content.type) {
    case 'file-data':
    case 'image-data':
      return { ...content, type: 'file', data: { type: 'data', data: content.data } }
    case 'file-url':
    case 'image-url': {
      const { url, mediaType = content.type === 'image-url' ? 'image' : 'application/octet-stream', ...rest } = content
      return { ...rest, type: 'file', data: { type: 'url', url: new URL(url) }, mediaType }
    }
    case 'file-reference':
    case 'image-file-reference': {
      const { providerReference: reference, ...rest } = content
      const mediaType = content.type === 'file-reference' ? 'application' : 'image'
      return { ...rest, type: 'file', data: { type: 'reference', reference }, mediaType }
    }
    default:
      return content
  }
}
