import { FACT_KINDS } from '../../src/eval/truth/facts.ts'
import type { Cell, PlotLine, Table } from '../harness/bench.ts'
import type { Tally } from './tally.ts'

/** A method's tally, or why it has none. */
export type Measured = {
  readonly method: string
  readonly tally?: Tally
  readonly why?: string
  /** At how many cuts its context was larger than the budget. */
  readonly over?: number
}

/** Kinds down, methods across, the size first: percent of the facts that are in the context. */
export function recallTable(title: string, measured: readonly Measured[]): Table {
  const row = (name: string, cell: (tally: Tally) => Cell): Cell[] => [
    name,
    ...measured.map(({ tally }) => (tally === undefined ? undefined : cell(tally))),
  ]
  const reasons = measured.some(({ why }) => why !== undefined) ? [['', ...measured.map(({ why = '' }) => why)]] : []
  const isOver = measured.some(({ over = 0 }) => over > 0)
  const overs = isOver ? [['cuts over the budget', ...measured.map(({ tally, over = 0 }) => tally && over)]] : []
  return {
    title,
    columns: ['% kept', ...measured.map(({ method }) => method)],
    rows: [
      row('cuts', ({ cuts }) => cuts),
      row('tokens', ({ tokens }) => Math.round(tokens)),
      ...overs,
      ...FACT_KINDS.map((kind) => row(kind, (tally) => rounded(tally.recall(kind)))),
      row('mean of the kinds', (tally) => rounded(tally.mean())),
      row('stale', ({ stale }) => rounded(stale)),
      row('invented names', ({ invented }) => rounded(invented)),
      ...reasons,
    ],
  }
}

/** Quarters of the span across, the oldest first: the mean over the kinds. */
export function ageTable(title: string, measured: readonly Measured[]): Table {
  return {
    title,
    columns: ['method', 'tokens', 'oldest quarter', 'second', 'third', 'newest quarter'],
    rows: measured.flatMap(({ method, tally }) =>
      tally === undefined ? [] : [[method, Math.round(tally.tokens), ...AGES.map((age) => rounded(tally.mean(age)))]],
    ),
  }
}

const AGES = [1, 2, 3, 4] as const

/** One line a method over sizes. */
export function linesOf(points: readonly { method: string; x: number; y: number | undefined }[]): PlotLine[] {
  const methods = [...new Set(points.map(({ method }) => method))]
  return methods.map((label) => ({
    label,
    points: points.flatMap(({ method, x, y }) => (method === label && y !== undefined ? [[x, y] as const] : [])),
  }))
}

export function rounded(share: number | undefined): number | undefined {
  return share === undefined ? undefined : Math.round(share * 10) / 10
}
