import { type Refusal, refuse } from '../refusal.ts'
import { stripAnalysis } from './analysis.ts'
import type { SummaryAnswer } from './call-model.ts'

export type AcceptedSummary = { readonly ok: true; readonly summary: string }

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
