import type { LeftOut } from '../../model/compact-result.ts'
import type { View } from '../../model/view.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import { type CompactState, unreadIn } from './compact-state.ts'

/** The part of the unread that the rebuilt view does not have, if there is one. */
export function leftOutOf(state: CompactState, rebuilt: View): LeftOut | undefined {
  const { estimator } = state
  const unread = state.view.items.slice(unreadIn(state).from)
  const now = new Map(rebuilt.items.slice().map(({ seq, message }) => [seq, message]))
  const shortened = unread
    .map(({ seq, message }) => ({ seq, tokens: messageTokens(message, estimator) - tokensNow(seq) }))
    .filter(({ tokens }) => tokens > 0)
  if (shortened.length === 0) return undefined
  return { tokens: shortened.reduce((sum, { tokens }) => sum + tokens, 0), seqs: shortened.map(({ seq }) => seq) }

  function tokensNow(seq: number): number {
    const message = now.get(seq)
    return message === undefined ? 0 : messageTokens(message, estimator)
  }
}
