import type { Items } from '../model/items.ts'
import type { Message } from '../model/types.ts'
import { type Estimator, messageTokens } from './estimate/estimator.ts'

/** The estimated tokens of items `from` to `to` of a view. Each is read: to count repeatedly, use `Sizes`. */
export function itemTokens(items: Items, from: number, to: number, estimator: Estimator): number {
  return messagesTokens(
    items.slice(from, to).map(({ message }) => message),
    estimator,
  )
}

/** The estimated tokens of some messages. */
export function messagesTokens(messages: readonly Message[], estimator: Estimator): number {
  let tokens = 0
  for (const message of messages) tokens += messageTokens(message, estimator)
  return tokens
}
