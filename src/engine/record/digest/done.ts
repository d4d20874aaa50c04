import { type Index, todosOf } from '../../../model/log-index.ts'
import { isEmptyTalk, tellsFinding } from '../../facts/text/cues.ts'
import { plain, sentencesOf } from '../../facts/text/sentences.ts'
import { clip } from '../../text/clip.ts'
import { handle } from '../../text/handle.ts'
import { oneLine } from '../../text/one-line.ts'
import type { Evidence } from './evidence.ts'
import { reportedResults } from './findings.ts'
import type { DatedSnippet, Snippet } from './render-within.ts'
import type { DigestTurn, Utterance } from './turns-of.ts'

/** The characters of a turn's last word and of its request at each level. */
const CLOSING = [1_200, 700, 400, 240, 130] as const
const ASKED = [140, 110, 80, 60, 40] as const

/** What is done, and by which evidence: the last word on each request, to-dos, commits and checks, what was said on the way. */
export function doneOf(turns: readonly DigestTurn[], evidence: readonly Evidence[], index: Index): Snippet[] {
  const closed = turns.flatMap((turn) => (turn.closing === undefined ? [] : [closingOf(turn, turn.closing)]))
  const passed = evidence.filter(({ failed }) => !failed)
  const dated = [...closed, ...passed, ...lower(reportedResults(turns))]
  return [...dated.toSorted((a, b) => a.seq - b.seq), ...finishedTodos(index)]
}

/** Remarks made on the way rank below results with evidence and below the closing message. */
function lower(snippets: readonly DatedSnippet[]): DatedSnippet[] {
  return snippets.map((snippet) => ({ ...snippet, priority: snippet.priority - 2e9 }))
}

function closingOf(turn: DigestTurn, { seq, text }: Utterance): DatedSnippet {
  const asked = (level: number) => (turn.asked === '' ? '' : `asked “${clip(turn.asked, ASKED[level] ?? 40)}”: `)
  const short = condensed(text)
  return { seq, priority: seq, render: (level) => `- ${handle(seq)} ${asked(level)}${short(CLOSING[level] ?? 130)}` }
}

/** A closing text whole if it is short enough, else its beginning and the sentences in it that tell a result. */
function condensed(text: string): (characters: number) => string {
  const sentences = sentencesOf(text.replace(/^#{1,6} .*$/gm, '')).map(plain)
  // Nothing in it reads like a sentence, but it is the last word of a turn.
  if (sentences.length === 0) return (characters) => oneLine(text, characters)
  const whole = sentences.join(' ').replace(/\s+/g, ' ').trim()
  const from = sentences.findIndex((sentence) => sentence.length >= 12 && !isEmptyTalk(sentence))
  const [first = '', ...others] = sentences.slice(Math.max(0, from))
  const short = [first, ...others.filter(tellsFinding)].join(' ')
  return (characters) => (whole.length <= characters ? whole : clip(short, characters))
}

function finishedTodos(index: Index): Snippet[] {
  const done = todosOf(index).filter(({ status }) => status === 'done')
  if (done.length === 0) return []
  const names = done.map(({ text }) => clip(text, 120)).join('; ')
  // The list is short, and says more of a long piece of work than any sentence in it.
  return [{ priority: 1e9, render: (level) => `- To-dos done: ${clip(names, 1_000 - 180 * level)}` }]
}
