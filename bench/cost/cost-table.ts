import type { Cell, Table } from '../harness/bench.ts'
import type { Outcome } from './outcome.ts'

/** Outcomes beside each other, the first as the measure of all. */
export function costTable(title: string, outcomes: readonly Outcome[]): Table {
  const [ours] = outcomes
  return {
    title,
    columns: [
      'policy',
      '$ a session',
      'of ours',
      'reads $',
      'writes $',
      'output $',
      'summaries $',
      'reading again $',
      'input M tokens',
      'cached %',
      'summaries',
      'masks',
      'mean context',
      'peak',
      'far references kept %',
      'edited text in view %',
    ],
    rows: outcomes.map((outcome) => rowOf(outcome, ours?.cost ?? 0)),
  }
}

function rowOf(outcome: Outcome, ours: number): Cell[] {
  const { name, sessions, cost, requests, inputTokens, overflows } = outcome
  const each = (dollars: number) => rounded(dollars / sessions, 2)
  return [
    overflows === 0 ? name : `${name} (does not fit in ${overflows} of ${sessions})`,
    each(cost),
    `${rounded(cost / ours, 2)}×`,
    each(outcome.reads),
    each(outcome.writes),
    each(outcome.outputs),
    each(outcome.summaries),
    each(outcome.readAgain),
    rounded(inputTokens / 1e6, 1),
    percent(outcome.cacheReadTokens, inputTokens),
    outcome.compactions,
    outcome.masks,
    Math.round(inputTokens / requests),
    outcome.peak,
    percent(outcome.kept, outcome.references),
    percent(outcome.editsSeen, outcome.edits),
  ]
}

/** The share of references that found what they name, in percent. */
export function keptPercent({ kept, references }: Outcome): number {
  return references === 0 ? 100 : (100 * kept) / references
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : rounded((100 * part) / whole, 1)
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
