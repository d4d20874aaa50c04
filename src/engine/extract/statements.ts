import type { StatementFact } from '../../model/facts/statement-fact.ts'
import { oneLine } from '../../model/text/one-line.ts'
import type { Item } from '../../model/view.ts'
import { isEmptyTalk } from './text/cues.ts'
import { LEAST_REASON, mayDecide, reasonScore } from './text/reason-score.ts'
import { reportParts } from './text/report-parts.ts'
import { plain, sentencesOf } from './text/sentences.ts'
import { subAgentReport } from './text/sub-agent-report.ts'
import { tellingParts, tellingText } from './text/telling-parts.ts'
import { type DigestTurn, turnsOf, type Utterance } from './turns-of.ts'

/** What the agent said in some items that outlives its turns: the last word of each, and the reasons it gave on the way. */
export function statementsIn(items: readonly Item[]): StatementFact[] {
  const turns = turnsOf(items)
  const own = turns.flatMap((turn, i) => {
    const answer = turn.closing ?? (i < turns.length - 1 ? longWord(turn) : undefined)
    return [...reasonsOf(turn, answer), ...answerOf(turn, answer)]
  })
  const others = subAgentReports(items)
  return others.length === 0 ? own : [...own, ...others].toSorted((a, b) => a.seq - b.seq)
}

/** The reports of other agents: this agent did not repeat them in words of its own. */
function subAgentReports(items: readonly Item[]): StatementFact[] {
  return items.flatMap(({ kind, seq, message }) => {
    const report = kind === 'message' ? subAgentReport(message) : undefined
    if (report === undefined) return []
    const text = tellingText(condensed(report.slice(0, LOOKED_AT)), SUB_AGENT_CHARACTERS)
    return [{ kind: 'answer', seq, text: `A sub-agent: ${text}` }]
  })
}

const SUB_AGENT_CHARACTERS = 700

/** The user went on while the agent worked: what it had said at length last is its answer. */
function longWord({ said }: DigestTurn): Utterance | undefined {
  return said.findLast(({ text }) => text.length >= LONG_WORD)
}

const LONG_WORD = 250

function answerOf({ asked, seq }: DigestTurn, closing: Utterance | undefined): StatementFact[] {
  if (closing === undefined) return []
  const text = condensed(closing.text).replace(PRAISE, '')
  return text === '' ? [] : [{ kind: 'answer', seq: closing.seq, text, ...(asked === '' ? {} : { asked: seq }) }]
}

/** The first words of many answers. */
const PRAISE =
  /^(?:(?:perfect|great|excellent|done|good|fixed|awesome|yes|ok|okay|got it|alright|all done)[!.,]+\s+)+(?=\S)/i

/** Of one text no more than this: one long report must not push out all else. */
const MOST_OF_ONE = 3
/** Reasoning is wordier than an answer, so less of it is taken. */
const MOST_THOUGHT = 1

function reasonsOf(turn: DigestTurn, answer: Utterance | undefined): StatementFact[] {
  const said = turn.said.filter((one) => one !== answer).flatMap((one) => best(one, MOST_OF_ONE, LEAST_REASON))
  const thought = turn.thought.flatMap((one) => (mayDecide(one.text) ? best(one, MOST_THOUGHT, LEAST_REASON + 1) : []))
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
  const parts = reportParts(text).map(ended)
  // Nothing in it reads like a sentence, but it is the last word of a turn.
  if (parts.length === 0) return oneLine(text, ANSWER_CHARACTERS / 2)
  const whole = joined(parts)
  if (whole.length <= ANSWER_CHARACTERS) return whole
  const from = parts.findIndex((part) => part.length >= 12 && !isEmptyTalk(part))
  return oneLine(joined([tellingParts(parts.slice(Math.max(0, from)), ANSWER_CHARACTERS)]), ANSWER_CHARACTERS)
}

/** An item of a list has no full stop: something must stand between it and the next. */
function ended(part: string): string {
  return part === '' || /[.!?:;,。！？]$/.test(part) ? part : `${part};`
}

function joined(parts: readonly string[]): string {
  return parts.join(' ').replace(/\s+/g, ' ').replace(/;$/, '').trim()
}
