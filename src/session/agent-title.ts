import { typedText } from '../engine/facts/text/machine-text.ts'
import type { DecodedSession } from '../formats/decoded-session.ts'
import { type Message, partsOf } from '../model/message.ts'
import { shortTitle } from './session-title.ts'

/** The title of an agent's session: its own, or the beginning of what the user typed first. */
export function agentTitle({ title, entries }: Pick<DecodedSession, 'title' | 'entries'>): string | undefined {
  return title ?? firstWords(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])))
}

/** The beginning of the first words of the user that no program wrote. */
export function firstWords(messages: readonly Message[]): string | undefined {
  for (const message of messages) {
    for (const part of message.role === 'user' ? partsOf(message) : []) {
      const title = part.type === 'text' ? shortTitle(typedText(part.text)) : ''
      if (title !== '' && !title.startsWith('<')) return title
    }
  }
  return undefined
}
