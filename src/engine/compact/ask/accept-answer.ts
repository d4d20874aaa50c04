import { type Refusal, refuse } from '../refusal.ts'
import { stripAnalysis } from './analysis.ts'
import type { SummaryAnswer } from './call-model.ts'

export type AcceptedSummary = { readonly ok: true; readonly summary: string }

/** Accepts a model's answer as a summary only if it is one: finished, not cut off, not empty, not only analysis. */
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

/** True if the model got stuck: the text is long, and most of it repeats the same few lines or words. */
function isRepetitive(text: string): boolean {
  if (text.length < 1_000) return false
  return (
    mostlySame(
      text.split('\n').map((line) => line.trim()),
      20,
    ) || mostlySame(text.split(/\s+/), 200)
  )
}

/** True for at least `least` pieces of which fewer than one in ten is different. */
function mostlySame(pieces: readonly string[], least: number): boolean {
  const nonEmpty = pieces.filter((piece) => piece !== '')
  return nonEmpty.length >= least && new Set(nonEmpty).size * 10 < nonEmpty.length
}
