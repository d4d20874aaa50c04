import { type Sizes, tokensBetween } from './sizes.ts'

/** The items after the last answer of the model. `from` is the index of the first one, or the view's length if there is none. */
export type Unread = { readonly from: number; readonly tokens: number }

/** The unread of a view: the items that the model has not answered yet, and the pending input. */
export function unreadOf(sizes: Sizes, pendingTokens = 0): Unread {
  const { items } = sizes
  const from = items.unread()
  return { from, tokens: tokensBetween(sizes, from, items.length) + pendingTokens }
}
