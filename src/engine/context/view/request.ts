import { hasNativeCompaction } from '../../../model/items.ts'
import type { Message, View } from '../../../model/types.ts'
import { enclose } from '../../record/boundary.ts'
import { RECORD_CLOSING, SYSTEM_RECORD_OPENING, USER_FRAME, USER_OPENING } from '../../record/prompts/record-texts.ts'

/** The parts of a request that come from a view: blocks for the system prompt, and messages that every provider accepts. */
export type Request = { readonly system: readonly string[]; readonly messages: readonly Message[] }

/**
 * Renders a view for sending. Providers do not accept a system message inside the conversation: a summary in that role becomes
 * a block after the system prompt, marked as data. If the conversation would not start with the user, an opening is added.
 */
export function requestOf(view: View, pending: readonly Message[] = []): Request {
  const system: string[] = []
  const messages: Message[] = []
  let isSummarised = false
  for (const item of view.items) {
    if (item.message.role !== 'system') messages.push(item.message)
    else if (item.kind === 'summary') {
      system.push(framedAsData(item.message.content))
      isSummarised = true
    } else system.push(item.message.content)
  }
  // Providers refuse a blank message.
  for (const message of pending) if (!isBlank(message)) messages.push(message)
  if (messages[0] === undefined || !opensRequest(messages[0])) {
    messages.unshift({ role: 'user', content: isSummarised ? USER_FRAME : USER_OPENING })
  }
  return { system, messages }
}

/** True for a message that a request may begin with: the user's, or a provider's own compaction, which must come first. */
export function opensRequest(message: Message): boolean {
  return message.role === 'user' || hasNativeCompaction(message)
}

function framedAsData(summary: string): string {
  return `${SYSTEM_RECORD_OPENING}\n\n${enclose('record', summary)}\n\n${RECORD_CLOSING}`
}

function isBlank({ content }: Message): boolean {
  return typeof content === 'string' && content.trim() === ''
}
