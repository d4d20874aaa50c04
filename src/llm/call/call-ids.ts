import { createHash } from 'node:crypto'
import type { AssistantPart, Message, ToolPart } from '../../model/message/message.ts'
import type { Endpoint } from '../provider/endpoint.ts'

/** Which names of calls a provider accepts. Most take any; the rule of a provider comes before that of its protocol. */
const ACCEPTED: Readonly<Record<string, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  openai: /^[\s\S]{1,64}$/,
  mistral: /^[a-zA-Z0-9]{9}$/,
}

const MISTRAL_LENGTH = 9

/**
 * A message whose calls have names that this provider accepts. Another provider may have given them, or a local server.
 * A call and its result get the same new name, and the same old name always gets the same one, so that nothing cached changes.
 */
export function withAcceptedIds(message: Message, { provider, kind }: Pick<Endpoint, 'provider' | 'kind'>): Message {
  const accepted = ACCEPTED[provider] ?? ACCEPTED[kind]
  if (accepted === undefined || typeof message.content === 'string') return message
  const renamed = <P extends AssistantPart | ToolPart>(part: P): P =>
    'toolCallId' in part && !accepted.test(part.toolCallId)
      ? { ...part, toolCallId: acceptedId(part.toolCallId, provider) }
      : part
  if (message.role === 'assistant') return { ...message, content: message.content.map(renamed) }
  if (message.role === 'tool') return { ...message, content: message.content.map(renamed) }
  return message
}

/** A short name made of the given one; different names do not become the same. */
function acceptedId(id: string, provider: string): string {
  const hash = createHash('sha256').update(id).digest('base64url').replaceAll(/[-_]/g, 'x')
  if (provider === 'mistral') return hash.slice(0, MISTRAL_LENGTH)
  const readable = id.replaceAll(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 40)
  return `${readable}_${hash.slice(0, 16)}`
}
