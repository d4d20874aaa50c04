import { compactMessages } from '../fit/compact-messages.ts'
import { openConversation } from '../fit/state/conversation.ts'
import type { Seq } from '../model/types.ts'
import { recallNumbered } from '../study/recall/recall-messages.ts'
import type { Compactor } from './compactor.ts'

/** A session between two compactions: the state and the number of messages that were returned, and the place of each message in the log. */
type Talk = { readonly state?: unknown; readonly returned: number; readonly seqs: readonly Seq[] }
const NEW: Talk = { returned: 0, seqs: [] }

/** Pith itself without a model, as a user of the library calls it: the state of the last call goes into the next one. */
export function pithCompactor(version: string): Compactor {
  const talks = new Map<string, Talk>()
  return {
    name: 'pith',
    from: `pith ${version}, no model`,
    compact: async ({ messages, windowTokens, targetTokens, unreadTokens, session, round }, signal) => {
      const { state, returned, seqs: known } = (round === 1 ? undefined : talks.get(session)) ?? NEW
      // Its target is for what the model has read.
      const policy = { targetMaxTokens: Math.max(targetTokens - unreadTokens, LEAST_TOKENS) }
      const result = await compactMessages(messages, { window: windowTokens, reason: 'manual', policy, state, signal })
      // A compaction has a place in the log too, so the handles in a record are not the numbers of the session's messages.
      const seqs = [...known, ...openConversation(messages, { state }).seqs.slice(returned)]
      talks.set(session, { state: result.state, returned: result.messages.length, seqs })
      return { messages: result.messages, state: seqs }
    },
    recall: async (asked, { messages, state }) => (await recallNumbered(messages, state as Seq[], asked)).text,
  }
}

/** Without any room for what was read, because the unread part is as large as the window. */
const LEAST_TOKENS = 1_000
