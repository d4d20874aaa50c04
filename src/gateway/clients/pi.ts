import type { CompactionRecogniser } from './compaction-ask.ts'
import { lastTextOf } from './last-text.ts'
import { transcriptAsk } from './transcript-ask.ts'

/**
 * pi quotes the older part of the conversation as one text, in a separate request without tools. Seen on 0.87.1. When it
 * splits a turn, it asks for that turn in a second request and puts the second answer below the first one. A session of one
 * turn has only the second request.
 */
export const piCompaction: CompactionRecogniser = ({ read }) => {
  const last = lastTextOf(read)
  if (last === undefined || !read.fixed.system?.startsWith('You are a context summarization assistant.'))
    return undefined
  const { text } = last
  if (text.startsWith(SPLIT_TURN))
    return {
      ...transcriptAsk('pi', last, ['\n\n# Instructions\n']),
      begins: (words) => isFirst(text.slice(SPLIT_TURN.length), words),
    }
  if (!text.startsWith('<conversation>')) return undefined
  const focus = /\nAdditional focus: ([\s\S]*)$/.exec(text)?.[1]?.trim()
  return transcriptAsk('pi', last, ['</conversation>', '</previous-summary>'], focus)
}

const SPLIT_TURN = '# Conversation\n[User]: '

/** True when the words are the whole first message, and not the beginning of a longer one. */
function isFirst(transcript: string, words: string): boolean {
  return words !== '' && transcript.startsWith(words) && /^\s*\n\n\[/.test(transcript.slice(words.length))
}
