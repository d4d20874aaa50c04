import { type Message, type Part, partsOf } from './message.ts'

/**
 * True for a provider's own compaction of what stood before it, in the forms that the AI SDK gives it. It is of use to
 * that provider alone, and only as it came, at the front of what followed it.
 */
export function isNativeCompaction(part: Part): boolean {
  if (part.type === 'custom') return part.kind.endsWith('.compaction')
  return part.type === 'text' && part.providerOptions?.anthropic?.type === 'compaction'
}

/** True for a message that holds one. */
export function hasNativeCompaction(message: Message): boolean {
  return typeof message.content !== 'string' && partsOf(message).some(isNativeCompaction)
}
