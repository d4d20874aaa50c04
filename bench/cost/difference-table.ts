import { bootstrapOf, type Interval } from '../../src/eval/kit/bootstrap.ts'
import type { Cell, Table } from '../harness/bench.ts'
import { type ContenderOutcomes, editsPercent, FOUND_LABEL, foundPercent, type Outcome, sumOf } from './outcome.ts'

/** Compares the first contender with each of the others, session by session: how certain the difference is, and how often it is reversed. */
export function differenceTable(title: string, [ours, ...others]: readonly ContenderOutcomes[]): Table {
  return {
    title,
    columns: [
      'against',
      'cheaper by %',
      '95 %',
      'dearer in',
      `${FOUND_LABEL}, points`,
      '95 %',
      'edited text, points',
      '95 %',
    ],
    rows: ours === undefined ? [] : others.map((theirs) => rowOf(ours, theirs)),
  }
}

type Pair = { readonly ours: Outcome; readonly theirs: Outcome }

function rowOf(ours: ContenderOutcomes, theirs: ContenderOutcomes): Cell[] {
  const pairs = ours.bySession.flatMap((outcome, i): Pair[] => {
    const other = theirs.bySession[i]
    return other === undefined ? [] : [{ ours: outcome, theirs: other }]
  })
  const dearer = pairs.filter((pair) => pair.ours.cost > pair.theirs.cost * DEARER)
  const difference = (of: (pair: Pair) => number) =>
    cells(
      bootstrapOf(pairs, (sample) =>
        of({ ours: sumOf(sample.map((p) => p.ours)), theirs: sumOf(sample.map((p) => p.theirs)) }),
      ),
    )
  return [
    theirs.name,
    ...difference((pair) => 100 * (1 - pair.ours.cost / pair.theirs.cost)),
    `${dearer.length} of ${pairs.length}`,
    ...difference((pair) => foundPercent(pair.ours) - foundPercent(pair.theirs)),
    ...difference((pair) => editsPercent(pair.ours) - editsPercent(pair.theirs)),
  ]
}

/** Half a percent more does not count as dearer. */
const DEARER = 1.005

function cells(interval: Interval | undefined): Cell[] {
  if (interval === undefined) return [undefined, undefined]
  const { mean, low, high } = interval
  return [Math.round(10 * mean) / 10, `${low.toFixed(1)} to ${high.toFixed(1)}`]
}
