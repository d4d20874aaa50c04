import type { StatementFact } from '../../model/statement-fact.ts'
import type { Item } from '../../model/view.ts'
import { oneLine } from '../text/one-line.ts'
import { isEmptyTalk, tellsFinding } from './text/cues.ts'
import { LEAST_REASON, reasonScore } from './text/reason-score.ts'
import { plain, sentencesOf } from './text/sentences.ts'
import { type DigestTurn, turnsOf, type Utterance } from './turns-of.ts'

/** What the agent said in some items that outlives its turns: the last word of each, and the reasons it gave on the way. */
export function statementsIn(items: readonly Item[]): StatementFact[] {
  return turnsOf(items).flatMap((turn) => [...reasonsOf(turn), ...answerOf(turn)])
}

function answerOf({ closing, asked, seq }: DigestTurn): StatementFact[] {
  if (closing === undefined) return []
  const text = condensed(closing.text).replace(PRAISE, '')
  return text === '' ? [] : [{ kind: 'answer', seq: closing.seq, text, ...(asked === '' ? {} : { asked: seq }) }]
}

/** The first words of many answers. */
const PRAISE =
  /^(?:(?:perfect|great|excellent|done|good|fixed|awesome|yes|ok|okay|got it|alright|all done)[!.,]+\s+)+(?=\S)/i

/** Of one text no more than this: one long report must not push out all else. */
const MOST_OF_ONE = 3
/** What it thought is wordier than what it said. */
const MOST_THOUGHT = 1

function reasonsOf(turn: DigestTurn): StatementFact[] {
  const said = turn.said.filter((one) => one !== turn.closing).flatMap((one) => best(one, MOST_OF_ONE, LEAST_REASON))
  const thought = turn.thought.flatMap((one) => best(one, MOST_THOUGHT, LEAST_REASON + 1))
  return [...said, ...thought].toSorted((a, b) => a.seq - b.seq)
}

function best({ seq, text }: Utterance, most: number, least: number): StatementFact[] {
  const scored = sentencesOf(text.slice(0, LOOKED_AT)).map((sentence, i) => ({
    i,
    sentence,
    score: reasonScore(sentence),
  }))
  return scored
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .toSorted((a, b) => a.i - b.i)
    .map(({ sentence }) => ({ kind: 'reason', seq, text: plain(sentence) }))
}

const LOOKED_AT = 20_000

/** The characters of an answer that are kept: what is longer tells its beginning, its findings and its end. */
const ANSWER_CHARACTERS = 1_400

function condensed(text: string): string {
  const sentences = sentencesOf(text.replace(/^#{1,6} .*$/gm, '')).map(plain)
  // Nothing in it reads like a sentence, but it is the last word of a turn.
  if (sentences.length === 0) return oneLine(text, ANSWER_CHARACTERS / 2)
  const whole = joined(sentences)
  if (whole.length <= ANSWER_CHARACTERS) return whole
  const from = sentences.findIndex((sentence) => sentence.length >= 12 && !isEmptyTalk(sentence))
  const [first = '', ...others] = sentences.slice(Math.max(0, from))
  const last = others.at(-1) ?? ''
  const telling = others.slice(0, -1).filter((sentence) => reasonScore(sentence) > 0 || tellsFinding(sentence))
  const kept: string[] = []
  let left = ANSWER_CHARACTERS - first.length - last.length
  for (const sentence of telling) {
    left -= sentence.length + 1
    if (left < 0) break
    kept.push(sentence)
  }
  return oneLine(joined([first, ...kept, last]), ANSWER_CHARACTERS)
}

/** An item of a list has no full stop: something must stand between it and the next. */
function joined(sentences: readonly string[]): string {
  const ended = sentences.filter((one) => one !== '').map((one) => (/[.!?:;,。！？]$/.test(one) ? one : `${one};`))
  return ended.join(' ').replace(/\s+/g, ' ').replace(/;$/, '').trim()
}
