import compact from '../../../src/eval/plain-selection.ts'
import type { Method } from './method.ts'

/** The page of code that is beside everything: lines of the whole conversation by a fixed value. */
export const plainSelection: Method = {
  name: 'plain selection',
  run: async ({ before, tokens }, targetTokens) => {
    const request = { windowTokens: tokens, targetTokens, unreadTokens: 0, session: '', round: 1 }
    return { ok: true, messages: compact(before, request) }
  },
}
