import type { CompactionRecogniser } from './compaction-ask.ts'
import { inTags } from './in-tags.ts'
import { lastTextOf } from './last-text.ts'

/**
 * Claude Code sends its own prefix, with the directive as one more text block of the last message. Seen on 2.1.325, by
 * `/compact` and by itself: "CRITICAL: Respond with TEXT ONLY. … Your task is to create a detailed summary of the
 * conversation so far, …". It asks a second time if the answer has no `<summary>`, and cuts `<analysis>` out of it.
 */
export const claudeCodeCompaction: CompactionRecogniser = ({ read }) => {
  if (read.face !== 'anthropic') return undefined
  const last = lastTextOf(read)
  if (last === undefined || !DIRECTIVE.test(last.text)) return undefined
  return {
    client: 'claude',
    conversation: last.rest,
    focus: FOCUS.exec(last.text)?.[1]?.trim(),
    form: 'text',
    edits: (directive) => [last.replacedBy(directive)],
    dressed: (record) => inTags('summary', record, ['analysis']),
  }
}

const DIRECTIVE =
  /^(?:CRITICAL: Respond with TEXT ONLY[\s\S]{0,1000}?)?Your task is to create a detailed summary of the conversation so far/
const FOCUS = /\nAdditional Instructions:\n([\s\S]*?)(?:\n\nREMINDER: |$)/
