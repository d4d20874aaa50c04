import type { CompactionRecogniser } from './compaction-ask.ts'
import { lastTextOf } from './last-text.ts'
import { toldConversation } from './told-conversation.ts'

/**
 * pi tells the older part of the conversation as one text, in a request of its own without tools. Seen on 0.87.1. A turn
 * that it splits is asked for in a second request, whose answer stands below the first one; a session of one turn has only
 * that second request.
 */
export const piCompaction: CompactionRecogniser = ({ read }) => {
  const last = lastTextOf(read)
  if (last === undefined || !read.fixed.system?.startsWith('You are a context summarization assistant.'))
    return undefined
  const { text } = last
  if (text.startsWith(SPLIT_TURN))
    return {
      ...toldConversation('pi', last, ['\n\n# Instructions\n']),
      begins: (words) => isFirst(text.slice(SPLIT_TURN.length), words),
    }
  if (!text.startsWith('<conversation>')) return undefined
  const focus = /\nAdditional focus: ([\s\S]*)$/.exec(text)?.[1]?.trim()
  return toldConversation('pi', last, ['</conversation>', '</previous-summary>'], focus)
}

const SPLIT_TURN = '# Conversation\n[User]: '

/** True when the words are the whole first message, and not the beginning of a longer one. */
function isFirst(told: string, words: string): boolean {
  return words !== '' && told.startsWith(words) && /^\s*\n\n\[/.test(told.slice(words.length))
}
