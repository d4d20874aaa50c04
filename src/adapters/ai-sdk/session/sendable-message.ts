import type { ModelMessage } from 'ai'
import { unwrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import { sendableResult } from '../../../llm/call/sendable.ts'
import type { Message } from '../../../model/message/message.ts'

/** A stored message as the SDK takes it without a warning: files in results are stored in an older form. */
export function sendableMessage(message: Message): ModelMessage {
  const own = unwrapForeign(message)
  if (own.role !== 'tool' || own.content.every((part) => sendableResult(part) === part)) return own
  return { ...own, content: own.content.map(sendableResult) }
}
