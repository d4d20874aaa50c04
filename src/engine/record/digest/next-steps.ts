import { type Index, todosOf } from '../../../model/log-index.ts'
import type { Item } from '../../../model/view.ts'
import { plain, sentencesOf } from '../../facts/text/sentences.ts'
import { clip } from '../../text/clip.ts'
import { excerpt } from '../../text/excerpt.ts'
import { handle } from '../../text/handle.ts'
import { oneLine } from '../../text/one-line.ts'
import { escaped } from '../escape.ts'
import { QUOTED_CHARACTERS } from '../index/quotes.ts'
import { lastSteps } from './last-steps.ts'
import { HIGHEST_PRIORITY, type Snippet } from './render-within.ts'
import type { DigestTurn } from './turns-of.ts'

/** Where an unfinished turn stands: what it is about, what was said last, the last steps. */
export function inProgress(turn: DigestTurn | undefined, items: readonly Item[], index: Index): Snippet[] {
  if (turn === undefined || turn.closing !== undefined) return []
  const said = turn.said.at(-1)
  const steps = lastSteps(items, 4)
  const lines: ((level: number) => string)[] = [
    ...(said === undefined
      ? []
      : [(level: number) => `Said last (${handle(said.seq)}): ${clip(said.text, 500 - 80 * level)}`]),
    ...steps.map((step) => (level: number) => (level === 0 ? step : clip(step, 240 - 40 * level))),
  ]
  // The lines nearest to the end say most.
  return [
    ...(turn.asked === '' ? [] : [requestOf(turn, index)]),
    ...lines.map((render, i) => ({ render, priority: i })),
  ]
}

/** The request is whole where nothing else in the record quotes it: it stays in the view, but the record is read alone too. */
function requestOf(turn: DigestTurn, index: Index): Snippet {
  const calls = `(${turn.calls} tool calls so far)`
  if (index.users.some(({ seq }) => seq === turn.seq))
    return {
      priority: QUOTED_CHARACTERS,
      render: (level) => `Working on ${handle(turn.seq)}: “${clip(turn.asked, 200 - 30 * level)}” ${calls}.`,
    }
  const quoted = excerpt(turn.asked, { head: QUOTED_CHARACTERS, tail: 0 }, handle(turn.seq))
  const line = `Working on ${handle(turn.seq)} ${calls}: ${escaped(quoted)}`
  return { priority: HIGHEST_PRIORITY, render: () => line }
}

/** The next steps: the unfinished request, the open to-dos, a question of the agent, and what it says remains. */
export function nextOf(last: DigestTurn | undefined, index: Index): Snippet[] {
  const todos = todosOf(index).filter((todo) => todo.status === 'pending' || todo.status === 'in-progress')
  const lines = [
    ...(last === undefined ? [] : last.closing === undefined ? unfinished(last) : afterwards(last.closing)),
    ...todos.map((todo) =>
      escaped(`- ${clip(todo.text, 300)}${todo.status === 'in-progress' ? ' (in progress)' : ''}`),
    ),
  ]
  return lines.map((line, i) => ({
    priority: lines.length - i,
    render: (level) => (level === 0 ? line : clip(line, 300 - 50 * level)),
  }))
}

function unfinished(turn: DigestTurn): string[] {
  return turn.asked === '' ? [] : [`Answer the user's request ${handle(turn.seq)}: it is not finished.`]
}

/** After a last word: what it asks back, and what it says remains to be done. */
function afterwards({ seq, text }: { seq: number; text: string }): string[] {
  const sentences = sentencesOf(text).map(plain)
  const remaining = sentences.filter((sentence) => REMAINS.test(sentence) && sentence.length >= 20).slice(0, 3)
  const question = sentences.slice(-4).findLast((sentence) => /[?？]$/.test(sentence))
  return [
    ...remaining.map((sentence) => `- ${handle(seq)} ${oneLine(sentence, 600)}`),
    ...(question === undefined ? [] : [`- The agent asked back (${handle(seq)}): ${oneLine(question, 600)}`]),
  ]
}

const REMAINS =
  /\b(?:next steps?|remaining|still (?:need|to do|open|missing|fails?)|to-?do|not yet|follow-?up|you (?:can|should|need to) now|left to|later)\b|接下来|下一步|次に/i
