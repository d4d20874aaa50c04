import type { CompactInput } from '../engine/compact/compact.ts'
import { isCacheCold } from '../engine/measure/cache-cold.ts'
import type { SummaryModel } from '../model/summary-model.ts'
import type { ChatModel } from './call/chat-model.ts'
import { type LastCall, warmModelOf } from './summary-models-for.ts'

/** A conversation that can be compacted, and with what. */
export type ConversationToCompact = Required<Pick<CompactInput, 'policy' | 'clock'>> &
  Pick<CompactInput, 'log' | 'view' | 'fixed' | 'pending' | 'model'> & {
    /** The models that may write the summary, the preferred one first. */
    readonly summaryModels: readonly SummaryModel[]
    /** The model that answers in the conversation, where it can be asked. */
    readonly chat?: ChatModel
    /** The last request that it was sent in this process. */
    readonly lastCall?: LastCall
  }

/** Why a conversation is compacted, and what is wished for this once. */
export type CompactionWish = Pick<CompactInput, 'reason' | 'focus' | 'signal' | 'onEvent' | 'sparesWords'>

/** The input of a compaction: the one place that knows what the engine has to be told. */
export function compactionInput(
  { chat, lastCall, ...about }: ConversationToCompact,
  wish: CompactionWish,
): CompactInput {
  const now = about.clock()
  return {
    ...about,
    ...wish,
    focus: wish.focus?.trim() || undefined,
    cacheCold: isCacheCold(about.log, now, chat?.cacheLifetimeMs),
    warm: chat === undefined || lastCall === undefined ? undefined : warmModelOf(chat, lastCall, now),
  }
}
