import type { CompactionRecogniser } from './compaction-ask.ts'
import { lastTextOf } from './last-text.ts'
import { toldConversation } from './told-conversation.ts'

/**
 * pi tells the older part of the conversation as one text, in a request of its own without tools. Seen on 0.87.1. A turn
 * that it splits is asked for in a second request, which begins "# Conversation" and is not taken for one: its answer
 * stands below the first.
 */
export const piCompaction: CompactionRecogniser = ({ read }) => {
  const last = lastTextOf(read)
  const isAsked = read.fixed.system?.startsWith('You are a context summarization assistant.') === true
  if (!isAsked || last?.text.startsWith('<conversation>') !== true) return undefined
  const focus = /\nAdditional focus: ([\s\S]*)$/.exec(last.text)?.[1]?.trim()
  return toldConversation('pi', last, ['</conversation>', '</previous-summary>'], focus)
}
