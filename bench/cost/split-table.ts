import type { Table } from '../harness/bench.ts'
import { keptPercent } from './cost-table.ts'
import type { Outcome } from './outcome.ts'

/** What the default's numbers were chosen on beside what they were not chosen on: a choice that fits only the first is none. */
export function splitTable(title: string, tuned: readonly Outcome[], heldOut: readonly Outcome[]): Table {
  return {
    title,
    columns: ['policy', 'chosen on: $', 'kept %', 'held out: $', 'kept %'],
    rows: tuned.map((outcome, i) => [outcome.name, ...cells(outcome), ...cells(heldOut[i])]),
  }
}

function cells(outcome: Outcome | undefined): number[] {
  if (outcome === undefined) return []
  return [Math.round((100 * outcome.cost) / outcome.sessions) / 100, Math.round(10 * keptPercent(outcome)) / 10]
}
