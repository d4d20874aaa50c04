import type { Message } from '../model/message.ts'
import { type CompactInput, compact } from './compact.ts'
import type { CompactResult } from './compact-result.ts'
import { logOf } from './log.ts'

/** Compacts a plain list of messages: the form for callers who keep no log. Fewer than two come back unchanged (T16). */
export async function compactMessages(
  messages: readonly Message[],
  options: Omit<CompactInput, 'log'>,
): Promise<CompactResult> {
  return compact({ ...options, log: logOf(messages, options) })
}
