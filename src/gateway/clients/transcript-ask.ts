import type { ClientName, CompactionAsk } from './compaction-ask.ts'
import type { LastText } from './last-text.ts'

/**
 * The ask of a client that quotes its conversation as one text in tags. Our directive replaces everything after the tags of
 * the conversation and of the summary before it.
 */
export function transcriptAsk(
  client: ClientName,
  { text, replacedBy }: LastText,
  closings: readonly string[],
  focus?: string,
): CompactionAsk {
  const end = Math.max(...closings.map((tag) => text.lastIndexOf(tag) + (text.includes(tag) ? tag.length : 0)))
  return {
    client,
    focus,
    form: 'text',
    edits: (directive) => [replacedBy(`${text.slice(0, end)}\n\n${directive}`)],
    dressed: (record) => record,
  }
}
