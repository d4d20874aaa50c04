import type { Seq } from '../../model/ids.ts'
import { textOf } from '../../model/message/message.ts'
import { type Fields, text, wholeNumber } from '../shared/json.ts'
import type { LogBuilder, MessageFacts } from '../shared/log-builder.ts'

/** Where a compaction began: `seq` is the last entry that it summarises. The agent works on meanwhile. */
export type CompactionStart = { readonly seq: Seq }

/**
 * Appends a compaction that Copilot CLI recorded. It goes on with the user's words and the summary in one message, and with
 * what was said while the summary was written.
 */
export function addCopilotCompaction(
  log: LogBuilder,
  data: Fields,
  start: CompactionStart | undefined,
  facts: MessageFacts,
): void {
  const summary = text(data.summaryContent)
  if (data.success === false || summary === undefined) return
  log.compact({
    summary,
    // Versions before this field sent the summary alone.
    shown: data.messagesRemoved === undefined ? summary : shownSummary(userWords(log, start), summary),
    keep: start === undefined ? [] : log.live.flatMap(({ seq }) => (seq > start.seq ? [seq] : [])),
    tokensBefore: wholeNumber(data.preCompactionTokens),
    trigger: data.trigger === 'manual' ? 'manual' : data.trigger === 'threshold' ? 'auto' : undefined,
    ...facts,
  })
}

function userWords({ entries }: LogBuilder, start: CompactionStart | undefined): string[] {
  return entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'user' && entry.seq <= (start?.seq ?? entry.seq)
      ? [textOf(entry.message)]
      : [],
  )
}

/** Characters of the user's words that Copilot repeats, and of the first message among them. */
const MOST_WORDS = 30_000
const MOST_OF_FIRST = 6_000

function shownSummary(words: readonly string[], summary: string): string {
  return [
    'Some of the conversation history has been summarized to free up context.',
    '',
    'You were originally given instructions from a user over one or more turns. Here were the user messages:',
    ...withinLimit(words),
    '',
    'Here is a summary of the prior context:',
    `<summary>\n${summary}\n</summary>`,
  ].join('\n')
}

/** All messages where they fit; else the first one and the newest. */
function withinLimit(words: readonly string[]): string[] {
  if (words.reduce((sum, text) => sum + text.length, 0) <= MOST_WORDS) return words.map(quoted)
  const [first = '', ...rest] = words
  const start = cut(first, rest.length === 0 ? MOST_WORDS : MOST_OF_FIRST)
  let room = MOST_WORDS - start.length
  const newest: string[] = []
  for (const text of rest.toReversed()) {
    if (newest.length > 0 && text.length > room) break
    newest.unshift(cut(text, room))
    room -= text.length
  }
  const left = rest.length - newest.length
  return [quoted(start), ...(left === 0 ? [] : [`... ${left} messages omitted ...`]), ...newest.map(quoted)]
}

const CUT = '...<truncated>...'

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - CUT.length)}${CUT}`
}

function quoted(text: string): string {
  return `<user_message>\n${text}\n</user_message>`
}
