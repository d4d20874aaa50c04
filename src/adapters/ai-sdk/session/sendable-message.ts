import type { ModelMessage } from 'ai'
import { unwrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import { sendableResult } from '../../../llm/call/sendable.ts'
import type { Message } from '../../../model/message/message.ts'

/** A stored message as the SDK takes it without a warning: files in results are stored in an older form. */
export function sendableMessage(message: Message): ModelMessage {
  const own = unwrapForeign(message)
  return own.role === 'tool' ? { ...own, content: own.content.map(sendableResult) } : own
}
