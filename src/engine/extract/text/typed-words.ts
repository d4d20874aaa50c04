import type { EntryOf } from '../../../model/entry.ts'
import { type Message, type Part, partsOf } from '../../../model/message/message.ts'
import { isNativeCompaction } from '../../../model/message/native-compaction.ts'
import type { MessageItem } from '../../../model/view.ts'
import { isTypedCommand, typedText } from './machine-text.ts'

/** What the user typed in a message: what its reader found, or else what its role and its texts say. Replies to a call are not part of it. */
export function typedIn({
  message,
  userWords,
}: Pick<MessageItem | EntryOf<'message'>, 'message' | 'userWords'>): string {
  if (message.role !== 'user') return ''
  if (userWords === undefined) return typedWords(message)
  return userWords.flatMap(({ text, reply }) => (reply === undefined ? [text] : [])).join('\n')
}

/**
 * What a person typed of a message in the user's role. Each text is looked at by itself: Claude Code puts notices ("[Request
 * interrupted by user]", the output of `/model` or of a shell command) and what is typed behind them into one message.
 */
export function typedWords(message: Message): string {
  const typed: string[] = []
  for (const part of withoutReferenced(partsOf(message))) {
    if (part.type !== 'text' || isNativeCompaction(part)) continue
    const { text } = part
    if (ATTACHED.test(text)) break
    const words = typedText(text)
    if (words.trim() !== '') typed.push(words)
    // The texts after a command are what Claude Code makes of it, out of a file of the project or an MCP server.
    if (isTypedCommand(text)) break
  }
  return typed.join('\n')
}

/**
 * Gemini CLI and qwen-code put the files that a message names between two texts. A file may have the closing one in it, so
 * that all up to the last one is theirs.
 */
function withoutReferenced(parts: readonly Part[]): readonly Part[] {
  const start = parts.findIndex((part) => part.type === 'text' && REFERENCED.test(part.text))
  if (start === -1) return parts
  const end = parts.findLastIndex((part) => part.type === 'text' && part.text.trim() === REFERENCED_END)
  return [...parts.slice(0, start), ...(end < start ? [] : parts.slice(end + 1))]
}

const REFERENCED = /^\s*--- Content from referenced files ---/
const REFERENCED_END = '--- End of content ---'

/** opencode adds the files and MCP resources that a message names after it, in words; nobody can tell how many parts they have. */
const ATTACHED = /^(?:Called the \w+ tool with the following input: \{|Reading MCP resource: .+ \(\S+\)$)/
