import type { ModelMessage } from 'ai'
import { unwrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import { sendableResult } from '../../../llm/call/sendable.ts'
import type { Message } from '../../../model/message/message.ts'

// The view gives the same object for a message each time, so its sendable form must be the same object too.
const made = new WeakMap<Message, ModelMessage>()

/** A stored message as the SDK takes it without a warning: files in results are stored in an older form. */
export function sendableMessage(message: Message): ModelMessage {
  const known = made.get(message)
  if (known !== undefined) return known
  const own = unwrapForeign(message)
  const sendable: Message = own.role === 'tool' ? { ...own, content: own.content.map(sendableResult) } : own
  made.set(message, sendable)
  return sendable
}
