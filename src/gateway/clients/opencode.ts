import type { CompactionRecogniser } from './compaction-ask.ts'
import { lastTextOf } from './last-text.ts'
import { transcriptAsk } from './transcript-ask.ts'

/** opencode quotes the older part of the conversation as one text, in a separate request without tools. Seen on 1.18.18. */
export const opencodeCompaction: CompactionRecogniser = ({ read }) => {
  const last = lastTextOf(read)
  const isAsked = read.fixed.system?.startsWith('You are a context summarization agent.') === true
  if (!isAsked || last?.text.startsWith('Here is the conversation so far:') !== true) return undefined
  return transcriptAsk('opencode', last, ['</conversation>', '</prior-summary>'])
}
