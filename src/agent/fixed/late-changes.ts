import type { Message, View } from '../../model/types.ts'
import type { FixedChange } from './fixed-parts.ts'

/** Notes about changed files that the provider's last count for this model does not contain. */
export function lateChanges(view: View, changes: readonly FixedChange[], model: string): Message[] {
  const counted = countedUpTo(view, model)
  return changes.filter(({ after }) => after > counted).map(changeMessage)
}

/** The message that informs the model about a change. */
export function changeMessage({ text }: FixedChange): Message {
  return { role: 'user', content: text }
}

function countedUpTo({ anchor, items }: View, model: string): number {
  if (anchor === undefined || (anchor.model !== undefined && anchor.model !== model)) return 0
  return items.at(anchor.items - 1)?.place ?? 0
}
