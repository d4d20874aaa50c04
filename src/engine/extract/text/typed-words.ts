import { isNativeCompaction } from '../../../model/items.ts'
import { type EntryOf, type Message, type MessageItem, type Part, partsOf } from '../../../model/types.ts'
import { isTypedCommand, typedText } from './machine-text.ts'

/** The words that the user typed in a message: those that its reader found, or else those that follow from its role and texts. Replies to a call are left out. */
export function typedIn({
  message,
  userWords,
}: Pick<MessageItem | EntryOf<'message'>, 'message' | 'userWords'>): string {
  if (message.role !== 'user') return ''
  if (userWords === undefined) return typedWords(message)
  return userWords.flatMap(({ text, reply }) => (reply === undefined ? [text] : [])).join('\n')
}

/**
 * The words that a person typed in a message in the user role. Each text is checked separately: Claude Code puts notices
 * ("[Request interrupted by user]", the output of `/model` or of a shell command) and the words typed after them into one message.
 */
export function typedWords(message: Message): string {
  const typed: string[] = []
  for (const part of withoutReferenced(partsOf(message))) {
    if (part.type !== 'text' || isNativeCompaction(part)) continue
    const { text } = part
    if (ATTACHED.test(text)) break
    const words = typedText(text)
    if (words.trim() !== '') typed.push(words)
    // The texts after a command are what Claude Code expands it to, from a file of the project or an MCP server.
    if (isTypedCommand(text)) break
  }
  return typed.join('\n')
}

/**
 * Gemini CLI and qwen-code put the files that a message names between two marker texts. A file may contain the closing marker,
 * so everything up to the last one is removed.
 */
function withoutReferenced(parts: readonly Part[]): readonly Part[] {
  const start = parts.findIndex((part) => part.type === 'text' && REFERENCED.test(part.text))
  if (start === -1) return parts
  const end = parts.findLastIndex((part) => part.type === 'text' && part.text.trim() === REFERENCED_END)
  return [...parts.slice(0, start), ...(end < start ? [] : parts.slice(end + 1))]
}

const REFERENCED = /^\s*--- Content from referenced files ---/
const REFERENCED_END = '--- End of content ---'

/** opencode adds the files and MCP resources that a message names after it, as texts. Their number is unknown, so everything from the first one on is left out. */
const ATTACHED = /^(?:Called the \w+ tool with the following input: \{|Reading MCP resource: .+ \(\S+\)$)/
