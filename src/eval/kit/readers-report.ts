import { bootstrap, type Interval } from './bootstrap.ts'
import { KIND_NAMES } from './kinds.ts'
import type { ReaderMark } from './readers.ts'

/** The marks of a compactor with their interval, bootstrapped over sessions. */
export type ReadersRow = {
  readonly compactor: string
  readonly all: Interval | undefined
  readonly kinds: readonly (number | undefined)[]
}

export type ReadersReport = {
  readonly rows: readonly ReadersRow[]
  /** Each pair of compactors on the questions that both answered. */
  readonly differences: readonly { readonly one: string; readonly other: string; readonly gap: Interval | undefined }[]
  /** How far two judges of one answer are apart, on average. */
  readonly judgesApart: number | undefined
}

export function readersReport(marks: readonly ReaderMark[]): ReadersReport {
  const names = [...new Set(marks.map(({ compactor }) => compactor))].toSorted()
  const own = (name: string) => marks.filter(({ compactor }) => compactor === name)
  return {
    rows: names.map((compactor) => ({
      compactor,
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
  return spans.length === 0 ? undefined : spans.reduce((sum, span) => sum + span, 0) / spans.length
}
