import { isAskingTool } from '../../engine/extract/asking-tools.ts'
import { typedText } from '../../engine/extract/text/machine-text.ts'
import { typedIn, typedWords } from '../../engine/extract/text/typed-words.ts'
import {
  type Message,
  type MessageItem,
  outputText,
  type SummaryItem,
  type ToolPart,
  type UserPart,
} from '../../model/types.ts'
import { reminder } from './reminder.ts'

/**
 * A message for the file of another agent. Texts in it that are not the user's, such as the output of a command, are marked. The
 * file has no other place for that, and its next reader would take the role for the speaker.
 */
export function markedMessage(item: MessageItem): Message {
  const { message } = item
  if (message.role === 'tool' && item.userWords?.length === 0)
    return { ...message, content: message.content.map(failed) }
  if (message.role !== 'user' || item.userWords === undefined) return message
  const typed = typedIn(item)
  if (typedWords(message) === typed) return message
  const marked = (text: string) => (isTyped(text, typed) ? text : reminder(text))
  if (typeof message.content === 'string') return { ...message, content: marked(message.content) }
  const content = message.content.map(
    (part): UserPart => (part.type === 'text' ? { ...part, text: marked(part.text) } : part),
  )
  return { ...message, content }
}

/** A call that a program denied becomes a failure. A result of a foreign tool with the name of an asking tool becomes plain output. */
function failed(part: ToolPart): ToolPart {
  if (part.type !== 'tool-result') return part
  const text = outputText(part.output)
  if (part.output.type === 'execution-denied') return { ...part, output: { type: 'error-text', value: text } }
  return isAskingTool(part.toolName) ? { ...part, output: { type: 'text', value: `Output: ${text}` } } : part
}

/** Marks a summary of another agent, or of another preset: its text alone does not differ from the user's words. */
export function markedSummary({ frame, message }: SummaryItem): Message {
  if (frame === 'pith' || message.role !== 'user' || typeof message.content !== 'string') return message
  return { ...message, content: reminder(message.content) }
}

/** True when all of a text is the user's, even if it was shortened. */
function isTyped(text: string, typed: string): boolean {
  const words = typedText(text)
  return words === '' || words.split(LEFT_OUT).every((piece) => typed.includes(piece.trim()))
}

const LEFT_OUT = /\n\[… \d+ characters left out(?:, recall #\d+)? …\]\n/
