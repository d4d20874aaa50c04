import type { EntryOf } from '../../../model/entry.ts'
import { type Message, type Part, partsOf } from '../../../model/message.ts'
import type { MessageItem } from '../../../model/view.ts'
import { isNotice, isReminderText, isTypedCommand, typedText } from './machine-text.ts'
import { sentMeanwhile } from './sent-meanwhile.ts'

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
  const parts = withoutReferenced(partsOf(message))
  let behind: 'words' | 'command' | 'expansion' | 'call' = 'words'
  for (const part of parts) {
    const text = part.type === 'text' ? part.text : undefined
    if (text !== undefined && ATTACHED.test(text)) {
      behind = 'call'
    } else if (behind === 'call') {
      // The part behind such a call is its result: a text or a picture.
      behind = 'words'
    } else if (text !== undefined && behind === 'command') {
      // The first text after a command is what Claude Code makes of it: the text of a file of the project, whatever it says.
      if (!isReminderText(text)) behind = 'expansion'
    } else if (text !== undefined && (behind !== 'expansion' || endsExpansion(text))) {
      const words = typedText(text)
      if (words.trim() !== '') typed.push(words)
      behind = isTypedCommand(text) ? 'command' : 'words'
    }
  }
  return typed.join('\n')
}

/** More texts of an expansion may follow, up to one that cannot be part of it. */
function endsExpansion(text: string): boolean {
  return isNotice(text) || isTypedCommand(text) || sentMeanwhile(text) !== undefined
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

/** opencode adds the files and MCP resources that a message names, each as a call and its result in words. */
const ATTACHED = /^(?:Called the Read tool with the following input: \{|Reading MCP resource: .+ \([^\s()]+\)$)/
