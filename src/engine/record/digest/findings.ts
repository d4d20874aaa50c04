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
import type { Dated } from './tell-within.ts'
import type { Said, Turn } from './turns-of.ts'

/** How long a sentence may be at each level. */
const CHARACTERS = [400, 300, 240, 180, 130] as const

/** Of one text no more than this: one long report must not push out all else. */
const MOST_OF_ONE = 5

type Sentence = { readonly seq: number; readonly text: string; readonly score: number }

/**
 * What the agent found out and decided on its way, in its own sentences; its last word of a turn is told elsewhere. A
 * decision or a cause counts for more than an observation, and that for more than what it said first in a message.
 */
export function findingsOf(turns: readonly Turn[]): Dated[] {
  const found = things(turns, (turn) => [
    ...onTheWay(turn).flatMap((said) => best(said, findingScore)),
    // What it thought is wordier than what it said: only what it came to.
    ...turn.thought.flatMap((said) => best(said, (sentence) => (tellsConclusion(sentence) ? 1 : 0)).slice(0, 2)),
  ])
  // In a language whose cues we do not know the beginning of a message says most.
  return found.length > 0 ? found : things(turns, (turn) => onTheWay(turn).flatMap((said) => best(said, beginning)))
}

/** What the agent said on its way that was done or how a check ended, in turns that no last word sums up. */
export function resultsOf(turns: readonly Turn[]): Dated[] {
  const score = (sentence: string) => (tellsResult(sentence) ? 1 : 0)
  const open = turns.filter((turn) => turn.closing === undefined)
  return things(open, (turn) => onTheWay(turn).flatMap((said) => best(said, score).slice(0, 2)))
}

/** What the agent said on its way that does not work. */
export function troublesOf(turns: readonly Turn[]): Dated[] {
  const score = (sentence: string) => (tellsFailure(sentence) ? 1 : 0)
  return things(turns, (turn) => onTheWay(turn).flatMap((said) => best(said, score).slice(0, 1)))
}

function onTheWay(turn: Turn): readonly Said[] {
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

function best({ seq, text }: Said, score: (sentence: string, isFirst: boolean) => number): Sentence[] {
  const scored = sentencesOf(text).map((sentence, i) => ({ seq, text: sentence, score: score(sentence, i === 0) }))
  return scored
    .filter((sentence) => sentence.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_OF_ONE)
}

function things(turns: readonly Turn[], sentences: (turn: Turn) => readonly Sentence[]): Dated[] {
  const told = new Map<string, Sentence>()
  for (const turn of turns) {
    for (const sentence of sentences(turn).toSorted((a, b) => a.seq - b.seq)) {
      const text = plain(sentence.text)
      if (!told.has(text)) told.set(text, { ...sentence, text })
    }
  }
  return [...told.values()].map(({ seq, text, score }) => ({
    seq,
    rank: score * RANKS + seq,
    way: (level) => `- ${handle(seq)} ${clip(text, CHARACTERS[level] ?? 130)}`,
  }))
}

/** More than any seq. */
const RANKS = 1e9
