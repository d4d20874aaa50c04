import { typedText } from '../../engine/facts/text/machine-text.ts'
import { typedIn, typedWords } from '../../engine/facts/text/typed-words.ts'
import type { Message, UserPart } from '../../model/message.ts'
import type { MessageItem } from '../../model/view.ts'
import { reminder } from './reminder.ts'

/**
 * A message for the file of another agent. What the user did not say in it, such as the output of a command, is marked: the
 * file has no other place that says so, and its next reader would take the role for the speaker.
 */
export function markedMessage(item: MessageItem): Message {
  const { message } = item
  if (message.role !== 'user' || item.userWords === undefined) return message
  const typed = typedIn(item)
  if (typedWords(message) === typed) return message
  const marked = (text: string) => (isSaid(text, typed) ? text : reminder(text))
  if (typeof message.content === 'string') return { ...message, content: marked(message.content) }
  const content = message.content.map(
    (part): UserPart => (part.type === 'text' ? { ...part, text: marked(part.text) } : part),
  )
  return { ...message, content }
}

/** True when all of a text is the user's, also of one that was shortened. */
function isSaid(text: string, typed: string): boolean {
  const words = typedText(text)
  return words === '' || words.split(LEFT_OUT).every((piece) => typed.includes(piece.trim()))
}

const LEFT_OUT = /\n\[… \d+ characters left out(?:, recall #\d+)? …\]\n/
