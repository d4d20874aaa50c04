import {
  isEmptyTalk,
  tellsConclusion,
  tellsDecision,
  tellsFailure,
  tellsFinding,
  tellsResult,
} from '../../facts/text/cues.ts'
import { plain, sentencesOf } from '../../facts/text/sentences.ts'
import { clip } from '../../text/clip.ts'
import { handle } from '../../text/handle.ts'
import type { DatedSnippet } from './render-within.ts'
import type { DigestTurn, Utterance } from './turns-of.ts'

/** How long a sentence may be at each level. */
const CHARACTERS = [400, 300, 240, 180, 130] as const

/** Of one text no more than this: one long report must not push out all else. */
const MOST_OF_ONE = 5

type Sentence = { readonly seq: number; readonly text: string; readonly score: number }

/**
 * What the agent found out and decided on its way, in its own sentences; its last word of a turn is told elsewhere. A
 * decision or a cause counts for more than an observation, and that for more than what it said first in a message.
 */
export function findingsOf(turns: readonly DigestTurn[]): DatedSnippet[] {
  const found = snippets(turns, (turn) => [
    ...onTheWay(turn).flatMap((said) => best(said, findingScore)),
    // What it thought is wordier than what it said: only what it came to.
    ...turn.thought.flatMap((said) => best(said, (sentence) => (tellsConclusion(sentence) ? 1 : 0)).slice(0, 2)),
  ])
  // In a language whose cues we do not know the beginning of a message says most.
  return found.length > 0 ? found : snippets(turns, (turn) => onTheWay(turn).flatMap((said) => best(said, beginning)))
}

/** What the agent said on its way that was done or how a check ended, in turns that no last word sums up. */
export function reportedResults(turns: readonly DigestTurn[]): DatedSnippet[] {
  const score = (sentence: string) => (tellsResult(sentence) ? 1 : 0)
  const open = turns.filter((turn) => turn.closing === undefined)
  return snippets(open, (turn) => onTheWay(turn).flatMap((said) => best(said, score).slice(0, 2)))
}

/** Remarks of the agent about what does not work. */
export function troublesOf(turns: readonly DigestTurn[]): DatedSnippet[] {
  const score = (sentence: string) => (tellsFailure(sentence) ? 1 : 0)
  return snippets(turns, (turn) => onTheWay(turn).flatMap((said) => best(said, score).slice(0, 1)))
}

function onTheWay(turn: DigestTurn): readonly Utterance[] {
  return turn.said.filter((said) => said !== turn.closing)
}

function findingScore(sentence: string): number {
  if (tellsDecision(sentence)) return 3
  if (tellsResult(sentence) || tellsFailure(sentence)) return 0
  return sentence.length >= 50 && tellsFinding(sentence) ? 2 : 0
}

function beginning(sentence: string, isFirst: boolean): number {
  return isFirst && sentence.length >= 10 && !isEmptyTalk(sentence) ? 1 : 0
}

function best({ seq, text }: Utterance, score: (sentence: string, isFirst: boolean) => number): Sentence[] {
  const scored = sentencesOf(text).map((sentence, i) => ({ seq, text: sentence, score: score(sentence, i === 0) }))
  return scored
    .filter((sentence) => sentence.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_OF_ONE)
}

function snippets(turns: readonly DigestTurn[], sentences: (turn: DigestTurn) => readonly Sentence[]): DatedSnippet[] {
  const byText = new Map<string, Sentence>()
  for (const turn of turns) {
    for (const sentence of sentences(turn).toSorted((a, b) => a.seq - b.seq)) {
      const text = plain(sentence.text)
      if (!byText.has(text)) byText.set(text, { ...sentence, text })
    }
  }
  return [...byText.values()].map(({ seq, text, score }) => ({
    seq,
    priority: score * PER_SCORE + seq,
    render: (level) => `- ${handle(seq)} ${clip(text, CHARACTERS[level] ?? 130)}`,
  }))
}

/** More than any seq. */
const PER_SCORE = 1e9
