import { type Message, type Part, partsOf } from '../../../model/message/message.ts'
import { runningTotals, type Sequence } from '../../../model/values/sequence.ts'
import type { Item } from '../../../model/view.ts'
import type { PlacedMessage, ValidateOptions } from './validate.ts'

/**
 * A quick check in one pass, because nearly every list is valid. True means that no rule is broken; false means only
 * that the rules have to be checked one by one.
 */
export function plainlyValid(items: readonly PlacedMessage[], { pending }: ValidateOptions): boolean {
  const calls = noCalls()
  return items.every(({ message }) => isFine(message, calls)) && (calls.open.size === 0 || pending === 'allowed')
}

/** The same of a view whose calls may wait for their results. Of a view that has grown only what is new is checked. */
export function plainlyValidView(items: Sequence<Item>): boolean {
  return brokenRules(items)[items.length] === 0
}

const brokenRules = runningTotals<Item, Calls>(
  0,
  (broken, { message }, _index, calls) => (broken > 0 || !isFine(message, calls) ? 1 : 0),
  noCalls,
)

/** The calls of a list so far: all of them, and those that wait for their results. */
type Calls = { readonly taken: Set<string>; readonly open: Set<string> }

function noCalls(): Calls {
  return { taken: new Set(), open: new Set() }
}

function isFine(message: Message, calls: Calls): boolean {
  // Only tool messages may stand between a call and its result.
  if (message.role !== 'tool' && calls.open.size > 0) return false
  return typeof message.content === 'string' ? !isBlank(message.content) : partsAreFine(message, calls)
}

function partsAreFine(message: Message, calls: Calls): boolean {
  const parts = partsOf(message)
  const last = parts.at(-1)
  if (last === undefined || last.type === 'reasoning') return false
  return parts.every((part) => partIsFine(part, message.role, calls))
}

function partIsFine(part: Part, role: Message['role'], { taken, open }: Calls): boolean {
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
