import { compactMessages } from '../fit/compact-messages.ts'
import { recall } from '../study/recall/recall.ts'
import type { Compactor } from './compactor.ts'

/** Pith itself without a model, as a user of the library calls it: the state of the last call goes into the next one. */
export function pithCompactor(version: string): Compactor {
  const states = new Map<string, unknown>()
  return {
    name: 'pith',
    from: `pith ${version}, no model`,
    compact: async ({ messages, windowTokens, targetTokens, unreadTokens, session, round }, signal) => {
      const state = round === 1 ? undefined : states.get(session)
      // Its target is for what the model has read.
      const policy = { targetMaxTokens: Math.max(targetTokens - unreadTokens, LEAST_TOKENS) }
      const result = await compactMessages(messages, { window: windowTokens, reason: 'manual', policy, state, signal })
      states.set(session, result.state)
      return { messages: result.messages }
    },
    recall: async (wish, { messages }) => (await recall(messages, wish)).text,
  }
}

/** Without any room for what was read, because the unread part is as large as the window. */
const LEAST_TOKENS = 1_000
