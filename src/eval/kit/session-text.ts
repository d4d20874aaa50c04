import type { Message } from '../../model/types.ts'
import type { AskedSpan } from '../truth/facts.ts'
import { messageShown } from '../truth/needed.ts'

/** A cut as the writer of its questions reads it: the span in order, and what followed. The longer the session, the more long messages are clipped. */
export function sessionText({ span, after }: AskedSpan): string {
  const messages = span.map(({ message }) => message)
  const most = CLIPS.find((clip) => textsOf(messages, clip).length <= SPAN_CHARACTERS) ?? 0
  const before = textsOf(messages, most).slice(0, SPAN_CHARACTERS)
  return `<session>\n${before}\n</session>\n\n<afterwards>\n${textsOf(after.slice(0, AFTER_MESSAGES), 600)}\n</afterwards>`
}

const SPAN_CHARACTERS = 300_000
const AFTER_MESSAGES = 40
const CLIPS = [6_000, 3_000, 1_500, 800, 400, 200] as const

function textsOf(messages: readonly Message[], most: number): string {
  return messages
    .map((message, i) => `[${i + 1} ${message.role}]\n${clipped(messageShown(message), most)}`)
    .join('\n\n')
}

/** Texts beyond the limit lose their middle. */
function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, Math.ceil(most * 0.7))}\n[… ${text.length - most} characters …]\n${text.slice(-Math.floor(most * 0.3))}`
}
