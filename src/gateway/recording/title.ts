import { typedText } from '../../engine/facts/text/machine-text.ts'
import { type Message, partsOf } from '../../model/message.ts'
import { shortTitle } from '../../session/session-title.ts'

/** The title of a conversation: the beginning of the first words of the user that no program wrote. */
export function titleOf(messages: readonly Message[]): string | undefined {
  for (const message of messages) {
    for (const part of message.role === 'user' ? partsOf(message) : []) {
      const title = part.type === 'text' ? shortTitle(typedText(part.text)) : ''
      if (title !== '' && !title.startsWith('<')) return title
    }
  }
  return undefined
}
