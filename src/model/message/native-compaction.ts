import { type Message, type Part, partsOf } from '../types.ts'

/**
 * True for a provider's own compaction of the messages before it, in the forms that the AI SDK uses. Only that provider can
 * use it, and only unchanged, before the messages that followed it.
 */
export function isNativeCompaction(part: Part): boolean {
  if (part.type === 'custom') return part.kind.endsWith('.compaction')
  return part.type === 'text' && part.providerOptions?.anthropic?.type === 'compaction'
}

/** True for a message that contains one. */
export function hasNativeCompaction(message: Message): boolean {
  return typeof message.content !== 'string' && partsOf(message).some(isNativeCompaction)
}
