import type { ModelMessage } from 'ai'
import { sendableResult } from '../../llm/call/sendable-content.ts'
import type { Message } from '../../model/message.ts'
import { unwrapped } from './foreign-parts.ts'

// A stored message is the same object each time that the view has it, and so must be what is made of it.
const made = new WeakMap<Message, ModelMessage>()

/** A stored message as the SDK takes it without a warning: files in results are stored in an older form. */
export function sendableMessage(message: Message): ModelMessage {
  const known = made.get(message)
  if (known !== undefined) return known
  const own = unwrapped(message)
  const sendable: Message = own.role === 'tool' ? { ...own, content: own.content.map(sendableResult) } : own
  made.set(message, sendable)
  return sendable
}
