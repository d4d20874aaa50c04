import { type Message, type Part, partsOf } from '../types.ts'

/** The calls of a list so far: all of them, and those that wait for their results. */
export type CallsSoFar = { readonly taken: Set<string>; readonly open: Set<string> }

export function noCalls(): CallsSoFar {
  return { taken: new Set(), open: new Set() }
}

/**
 * A quick check of the next message of a list, because nearly every list is valid. True means that it breaks no rule of a
 * provider; false only means that the rules have to be checked one by one.
 */
export function isPlainlyValid(message: Message, calls: CallsSoFar): boolean {
  // Only tool messages may come between a call and its result.
  if (message.role !== 'tool' && calls.open.size > 0) return false
  return typeof message.content === 'string' ? !isBlank(message.content) : partsAreFine(message, calls)
}

function partsAreFine(message: Message, calls: CallsSoFar): boolean {
  const parts = partsOf(message)
  const last = parts.at(-1)
  if (last === undefined || last.type === 'reasoning') return false
  return parts.every((part) => partIsFine(part, message.role, calls))
}

function partIsFine(part: Part, role: Message['role'], { taken, open }: CallsSoFar): boolean {
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
