import type { Table } from '../harness/bench.ts'
import { keptPercent } from './cost-table.ts'
import type { Outcome } from './outcome.ts'

/** The sessions of one agent beside those of all others: the default was chosen with both in view, and has to hold for each. */
export function splitTable(title: string, one: readonly Outcome[], others: readonly Outcome[]): Table {
  return {
    title,
    columns: ['policy', 'its sessions: $', 'kept %', 'all others: $', 'kept %'],
    rows: one.map((outcome, i) => [outcome.name, ...cells(outcome), ...cells(others[i])]),
  }
}

function cells(outcome: Outcome | undefined): number[] {
  if (outcome === undefined) return []
  return [Math.round((100 * outcome.cost) / outcome.sessions) / 100, Math.round(10 * keptPercent(outcome)) / 10]
}
