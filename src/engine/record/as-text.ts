import { type Message, type Part, partsOf } from '../../model/types.ts'
import { type SerializeOptions, serialize } from './serialize.ts'

/**
 * Messages for a request that declares no tools: providers refuse tool parts there, so calls and results become text
 * (K8), a result as the user's turn. Images, files and reasoning are named or left out.
 */
export function asText(messages: readonly Message[], options: SerializeOptions): Message[] {
  return messages.flatMap((message): Message[] => {
    if (typeof message.content === 'string') return message.content.trim() === '' ? [] : [userOrAssistant(message)]
    const content = partsOf(message)
      .filter((part) => part.type !== 'reasoning')
      .map((part) => partText(part, message, options))
      .filter((text) => text.trim() !== '')
      .join('\n\n')
    return content === '' ? [] : [userOrAssistant({ ...message, content } as Message)]
  })
}

function partText(part: Part, message: Message, options: SerializeOptions): string {
  if (part.type === 'text') return part.text
  return serialize({ role: message.role, content: [part] } as Message, options)
}

function userOrAssistant(message: Message): Message {
  const content = message.content as string
  return message.role === 'assistant' ? { role: 'assistant', content } : { role: 'user', content }
}
