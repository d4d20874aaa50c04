import { clip } from '../../../model/text/clip.ts'
import { handle } from '../../../model/text/handle.ts'
import { type Item, isUserMessage } from '../../../model/view.ts'
import { plain, sentencesOf } from '../../extract/text/sentences.ts'
import type { DigestTurn } from '../../extract/turns-of.ts'
import type { Snippet } from './render-within.ts'

/** What the agent's last word leaves open: a question to the user, and what it says remains. Nothing that the tail answers. */
export function onwardLines(turn: DigestTurn | undefined, tail: readonly Item[]): Snippet[] {
  // Somebody has gone on since.
  if (
    turn?.closing === undefined ||
    tail.some(isUserMessage) ||
    tail.some(({ message }) => message.role === 'assistant')
  )
    return []
  const { seq, text } = turn.closing
  const sentences = sentencesOf(text).map(plain)
  const remaining = sentences.filter((sentence) => REMAINS.test(sentence) && sentence.length >= 20).slice(0, 4)
  const question = sentences.slice(-4).findLast((sentence) => /[?？]$/.test(sentence))
  const lines = [
    ...(question === undefined ? [] : [`- The agent asked (${handle(seq)}), and nobody has answered: ${question}`]),
    ...remaining.filter((sentence) => sentence !== question).map((sentence) => `- ${handle(seq)} ${sentence}`),
  ]
  return lines.map((line, i) => ({
    priority: lines.length - i,
    render: (level) => clip(line, 600 - 90 * level),
  }))
}

const REMAINS =
  /\b(?:next steps?|remaining|still (?:need|to do|open|missing|fails?)|to-?do|not yet|follow-?up|you (?:can|should|need to) now|left to)\b|接下来|下一步|次に/i
