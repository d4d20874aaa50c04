import type { Message } from '../../model/message.ts'
import { type Bounds, excessOf } from '../plan/bounds.ts'
import { count } from '../report/numbers.ts'
import { overText } from '../report/over-text.ts'
import { validate } from '../view/validate.ts'
import { stripAnalysis } from './analysis.ts'
import type { SummaryAnswer } from './call-model.ts'

/** Why a summary is not taken. */
export type RefusalCode =
  /** No model was asked, so none has failed. */
  | 'not-asked'
  | 'failed'
  | 'truncated'
  | 'called-a-tool'
  | 'empty'
  | 'only-analysis'
  | 'repetitive'
  /** Mostly our own instruction. */
  | 'echo'
  | 'too-short'
  /** It names too little of what the log knows of the span. */
  | 'off-topic'
  | 'not-smaller'
  | 'over-target'
  /** Over the target with next to nothing in the place of the span. */
  | 'floor-too-large'
  | 'invalid'

export type AcceptedSummary = { readonly ok: true; readonly summary: string }
export type Refusal = { readonly ok: false; readonly refusal: RefusalCode; readonly reason: string }

/** Takes a model's answer as a summary only if it is one: finished, not cut off, not empty, not only analysis. */
export function acceptAnswer(answer: SummaryAnswer): AcceptedSummary | Refusal {
  if (answer.error !== undefined) return refuse('failed', answer.error)
  if (answer.calledTool !== undefined) {
    return refuse('called-a-tool', `the model called the tool ${answer.calledTool} instead of summarising`)
  }
  if (answer.text.trim() === '') return refuse('empty', 'the model returned an empty summary')
  if (answer.finish === 'length') return refuse('truncated', 'the summary was cut off at the output limit')
  if (answer.finish === 'other') return refuse('failed', 'the model stopped before the summary was finished')
  const summary = stripAnalysis(answer.text)
  if (summary === '') return refuse('only-analysis', 'the model returned only its analysis')
  if (isRepetitive(summary)) return refuse('repetitive', 'the model repeats itself')
  return { ok: true, summary }
}

export type ContextCandidate = {
  readonly messages: readonly Message[]
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The part of `tokensAfter` that the model has not read yet. */
  readonly unreadTokens: number
  /** The sizes that the rebuilt request is held to. */
  readonly bounds?: Bounds
  readonly mustShrink: boolean
}

/** Takes a rebuilt context only if it is smaller, within its bounds, and every provider would accept it. */
export function acceptContext(rebuilt: ContextCandidate): { readonly ok: true } | Refusal {
  const { tokensBefore, tokensAfter, unreadTokens, bounds } = rebuilt
  if (rebuilt.mustShrink && tokensAfter >= tokensBefore) {
    return refuse(
      'not-smaller',
      `the summary is not smaller than what it replaces (${count(tokensBefore)} → ${count(tokensAfter)} tokens)`,
    )
  }
  const over = bounds === undefined ? undefined : excessOf(tokensAfter, unreadTokens, bounds)
  if (over !== undefined) return refuse('over-target', `the rebuilt context ${overText(over)}`)
  const problem = validate(rebuilt.messages)[0]
  return problem === undefined ? { ok: true } : refuse('invalid', `the rebuilt context is not valid: ${problem.text}`)
}

function refuse(refusal: RefusalCode, reason: string): Refusal {
  return { ok: false, refusal, reason }
}

/** True for a text in which a model got stuck: it is long, and most of it is the same few lines or words again. */
function isRepetitive(text: string): boolean {
  if (text.length < 1_000) return false
  return (
    mostlySame(
      text.split('\n').map((line) => line.trim()),
      20,
    ) || mostlySame(text.split(/\s+/), 200)
  )
}

/** At least `least` pieces, of which not one in ten is new. */
function mostlySame(pieces: readonly string[], least: number): boolean {
  const told = pieces.filter((piece) => piece !== '')
  return told.length >= least && new Set(told).size * 10 < told.length
}
