import type { ModelMessage } from 'ai'
import { requestOf } from '../../../engine/context/view/request.ts'
import { requestWithoutRecall, withoutPromises } from '../../../engine/context/view/without-recall.ts'
import { unwrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import type { View } from '../../../model/view.ts'
import type { FittedConversation } from '../context/conversation-keeper.ts'

/** The messages that stand for a view, and the blocks behind the instructions. */
export type ViewMessages = {
  readonly messages: readonly ModelMessage[]
  readonly system: readonly string[]
  readonly recalls: boolean
  readonly items: View['items']
}

/** Writes a view for sending. Where it goes on from the one of the step before, only what is new is written. */
export function sentList(
  { view, known }: FittedConversation,
  recalls: boolean,
  before: ViewMessages | undefined,
): ViewMessages {
  const { items } = view
  const fresh = before?.recalls === recalls ? items.behind(before.items) : undefined
  if (before !== undefined && fresh?.every(({ message }) => message.role !== 'system')) {
    const said = fresh.map(({ message }) => message)
    const messages = (recalls ? said : withoutPromises(said, known.messages)).map(unwrapForeign)
    return { ...before, items, messages: before.messages.concat(messages) }
  }
  const request = requestOf(view)
  const { system, messages } = recalls ? request : requestWithoutRecall(request, known.messages)
  return { messages: messages.map(unwrapForeign), system, recalls, items }
}
