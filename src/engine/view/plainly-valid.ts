import { type Message, type Part, partsOf } from '../../model/message.ts'
import type { PlacedMessage, ValidateOptions } from './validate.ts'

/**
 * A quick check in one pass, because nearly every list is valid. True means that no rule is broken; false means only
 * that the rules have to be checked one by one.
 */
export function plainlyValid(items: readonly PlacedMessage[], { pending }: ValidateOptions): boolean {
  const taken = new Set<string>()
  const open = new Set<string>()
  for (const { message } of items) {
    // Only tool messages may stand between a call and its result.
    if (message.role !== 'tool' && open.size > 0) return false
    if (typeof message.content === 'string' ? isBlank(message.content) : !partsAreFine(message, taken, open)) {
      return false
    }
  }
  return open.size === 0 || pending === 'allowed'
}

function partsAreFine(message: Message, taken: Set<string>, open: Set<string>): boolean {
  const parts = partsOf(message)
  const last = parts.at(-1)
  if (last === undefined || last.type === 'reasoning') return false
  return parts.every((part) => partIsFine(part, message.role, taken, open))
}

function partIsFine(part: Part, role: Message['role'], taken: Set<string>, open: Set<string>): boolean {
  switch (part.type) {
    case 'text':
      return !isBlank(part.text)
    case 'reasoning':
      return part.providerOptions !== undefined || !isBlank(part.text)
    case 'tool-call': {
      const { toolCallId } = part
      if (taken.has(toolCallId)) return false
      taken.add(toolCallId)
      if (part.providerExecuted !== true) open.add(toolCallId)
      return true
    }
    case 'tool-result':
      return open.delete(part.toolCallId) || (role === 'assistant' && taken.has(part.toolCallId))
    default:
      return true
  }
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
