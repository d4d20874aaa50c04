import type { Cell, Table } from '../harness/bench.ts'
import { type ContenderOutcomes, editsPercent, FOUND_LABEL, foundPercent, type Outcome, sumOf } from './outcome.ts'

/** Outcomes side by side. Costs are also given relative to the first contender. */
export function costTable(title: string, contenders: readonly ContenderOutcomes[]): Table {
  const ours = sumOf(contenders[0]?.bySession ?? [])
  return {
    title,
    columns: [
      'policy',
      '$ a session',
      'of ours',
      `${FOUND_LABEL} %`,
      'edited text in view %',
      'far references named %',
      'reads $',
      'writes $',
      'output $',
      'summaries $',
      'reading again $',
      'input M tokens',
      'cached %',
      'summaries',
      'masks',
      'cuts inside a chain %',
      'record',
      'mean context',
      'peak',
    ],
    rows: contenders.map(({ name, bySession }) => rowOf(name, sumOf(bySession), ours.cost)),
  }
}

function rowOf(name: string, outcome: Outcome, ours: number): Cell[] {
  const { sessions, cost, requests, inputTokens, overflows, records } = outcome
  const cuts = outcome.compactions + outcome.masks
  const each = (dollars: number) => rounded(dollars / sessions, 2)
  return [
    overflows === 0 ? name : `${name} (does not fit in ${overflows} of ${sessions})`,
    each(cost),
    `${rounded(cost / ours, 2)}×`,
    rounded(foundPercent(outcome), 1),
    rounded(editsPercent(outcome), 1),
    percent(outcome.named, outcome.references),
    each(outcome.reads),
    each(outcome.writes),
    each(outcome.outputs),
    each(outcome.summaries),
    each(outcome.readAgain),
    rounded(inputTokens / 1e6, 1),
    percent(outcome.cacheReadTokens, inputTokens),
    outcome.compactions,
    outcome.masks,
    cuts === 0 ? undefined : percent(outcome.insideChain, cuts),
    records === 0 ? undefined : Math.round(outcome.recordTokens / records),
    Math.round(inputTokens / requests),
    outcome.peak,
  ]
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : rounded((100 * part) / whole, 1)
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
