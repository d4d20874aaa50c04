import { bootstrap, type Interval } from './bootstrap.ts'
import { KIND_NAMES } from './kinds.ts'
import type { ReaderMark } from './readers.ts'

/**
 * The marks of each compactor with their interval, bootstrapped over sessions, and the mean size of what its readers got; each pair of
 * compactors on the questions that both answered; and how far the judges of one answer are apart, on average.
 */
export function readersReport(marks: readonly ReaderMark[]) {
  const names = [...new Set(marks.map(({ compactor }) => compactor))].toSorted()
  const own = (name: string) => marks.filter(({ compactor }) => compactor === name)
  return {
    rows: names.map((compactor) => ({
      compactor,
      contextTokens: meanOf(own(compactor).map((mark) => mark.contextTokens)),
      recallTokens: meanOf(own(compactor).flatMap((mark) => mark.recallTokens ?? [])),
      all: intervalOf(own(compactor)),
      kinds: KIND_NAMES.map((kind) => intervalOf(own(compactor).filter((mark) => mark.kind === kind))?.mean),
    })),
    differences: names.flatMap((one, i) =>
      names.slice(i + 1).map((other) => ({ one, other, gap: gapOf(own(one), own(other)) })),
    ),
    judgesApart: judgesApart(marks),
  }
}

function intervalOf(marks: readonly ReaderMark[]): Interval | undefined {
  return bootstrap([...Map.groupBy(marks, ({ session }) => session).values()].map((all) => all.map(({ mark }) => mark)))
}

const keyOf = ({ session, kind, judge }: ReaderMark) => `${session}\0${kind}\0${judge}`

function gapOf(ours: readonly ReaderMark[], theirs: readonly ReaderMark[]): Interval | undefined {
  const reference = new Map(theirs.map((mark) => [keyOf(mark), mark.mark]))
  return intervalOf(
    ours.flatMap((mark) => {
      const other = reference.get(keyOf(mark))
      return other === undefined ? [] : [{ ...mark, mark: mark.mark - other }]
    }),
  )
}

function judgesApart(marks: readonly ReaderMark[]): number | undefined {
  const groups = [...Map.groupBy(marks, ({ session, compactor, kind }) => `${session}\0${compactor}\0${kind}`).values()]
  const spans = groups
    .filter((all) => all.length > 1)
    .map((all) => Math.max(...all.map(({ mark }) => mark)) - Math.min(...all.map(({ mark }) => mark)))
  return meanOf(spans)
}

function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}
