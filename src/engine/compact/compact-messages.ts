import type { CompactResult } from '../../model/compact-result.ts'
import type { Message } from '../../model/message.ts'
import { parseMessage } from '../../model/message-schema.ts'
import { logOf } from '../view/log.ts'
import { type CompactInput, compact } from './compact.ts'

/** Compacts a plain list of messages: the form for callers who keep no log. Fewer than two come back unchanged (T16). */
export async function compactMessages(
  messages: readonly Message[],
  options: Omit<CompactInput, 'log'>,
): Promise<CompactResult> {
  for (const [i, message] of messages.entries()) if (!looksRight(message)) parseMessage(message, `message ${i + 1}`)
  return compact({ ...options, log: logOf(messages, options) })
}

/** A quick look, so that what is wrong is said in one line that names the message, at next to no cost when nothing is. */
function looksRight(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('content' in message)) return false
  const { content } = message
  if (typeof content === 'string') return true
  return Array.isArray(content) && content.every((part) => typeof part === 'object' && part !== null && 'type' in part)
}
