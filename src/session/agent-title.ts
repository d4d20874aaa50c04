import { typedText } from '../engine/facts/text/machine-text.ts'
import type { DecodedSession } from '../formats/decoded-session.ts'
import { textOf } from '../model/message.ts'
import { shortTitle } from './session-title.ts'

/** The title of an agent's session: its own, or the beginning of what the user typed first. */
export function agentTitle({ title, entries }: Pick<DecodedSession, 'title' | 'entries'>): string | undefined {
  if (title !== undefined) return title
  for (const entry of entries) {
    const isUser = entry.type === 'message' && entry.message.role === 'user'
    const words = isUser ? shortTitle(typedText(textOf(entry.message))) : ''
    if (words !== '') return words
  }
  return undefined
}
