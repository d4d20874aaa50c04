import type { ProviderKind } from '../../config/provider-settings.ts'
import type { AssistantPart, Message, UserPart } from '../../model/message.ts'
import { sendableResult } from './sendable-content.ts'

/**
 * A message as this kind of provider takes it. Reasoning of another provider is left out (it cannot be verified there),
 * a call whose arguments were no JSON is sent back as an object that quotes them.
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

function isOwn(part: AssistantPart, kind: ProviderKind): boolean {
  if (part.type !== 'reasoning' && part.type !== 'reasoning-file') return true
  // What speaks the OpenAI-compatible protocol signs nothing.
  if (kind === 'openai-compatible') return part.providerOptions === undefined
  return part.providerOptions?.[kind] !== undefined
}

function sendablePart(part: AssistantPart): AssistantPart {
  if (part.type === 'tool-result') return sendableResult(part)
  if (part.type !== 'tool-call' || isObject(part.input)) return part
  return { ...part, input: { invalid_arguments: part.input ?? '' } }
}

/** The SDK knows images as files only, and prints a warning for each that is not. */
function imageAsFile(part: UserPart): UserPart {
  if (part.type !== 'image') return part
  const { image, type: _, ...rest } = part
  return { ...rest, type: 'file', data: image, mediaType: part.mediaType ?? 'image' }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
