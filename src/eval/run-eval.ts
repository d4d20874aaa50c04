import type { Compactor } from './compactor.ts'
import {
  ASKED_ROWS,
  type AskedRow,
  askedIn,
  type Figures,
  figuresOf,
  headlineOf,
  LEAST_ASKED,
  mean,
  partsOf,
  rounded,
  sumOf,
} from './figures.ts'
import { bootstrapOf, type Interval } from './kit/bootstrap.ts'
import { type Counts, type Examples, measureRound, paperOf } from './measure.ts'
import { cutsIn, type EvalLimits, type EvalSession, type EvalSettings, hashOfSession, play } from './play.ts'
import { CHECKED_PROVIDERS } from './probes/validity.ts'

/** The numbers of a compactor after this many compactions, over all sessions of a set that have that many. */
export type RoundReport = {
  readonly set: string
  readonly round: number
  readonly sessions: number
  /** `pass`, or what fails. */
  readonly passes: Readonly<Record<'valid' | 'fits' | 'invented', string>>
  readonly figures: Figures
  readonly parts: Figures
}

export type CompactorReport = {
  readonly name: string
  readonly from: string
  readonly isBaseline: boolean
  /** The mean of the rows in the headline's round with its 95 % interval, and the difference to the plain selection. */
  readonly headline?: Interval
  readonly gap?: Interval
  readonly rounds: readonly RoundReport[]
  readonly failures: readonly { readonly session: string; readonly round: number; readonly why: string }[]
  /** The first rules that it lost, claims that the sessions contradict, names that it invented, and reasons of providers to refuse. */
  readonly examples: Examples
}

/** The sessions of a set, and for each round the rows that ask too little. */
export type SetReport = {
  readonly name: string
  readonly sessions: readonly {
    readonly name: string
    readonly hash: string
    readonly messages: number
    readonly cuts: readonly number[]
  }[]
  readonly skipped: readonly string[]
  readonly leftOut: readonly { readonly round: number; readonly row: AskedRow; readonly asked: number }[]
}

/** A report. It has no times in it: the same input gives the same bytes. */
export type EvalReport = {
  readonly pith: string
  readonly settings: EvalSettings
  readonly sets: readonly SetReport[]
  /** The round of the headline: the third, or the last if there are fewer. */
  readonly headlineRound: number
  readonly compactors: readonly CompactorReport[]
}

/** The milliseconds of each compaction, which no two runs have in common. */
export type EvalTimes = Readonly<
  Record<string, readonly { readonly session: string; readonly round: number; readonly ms: number }[]>
>

export type EvalRun = {
  readonly pith: string
  readonly sets: readonly {
    readonly name: string
    readonly sessions: AsyncIterable<EvalSession> | Iterable<EvalSession>
  }[]
  readonly compactors: readonly (Compactor & { readonly isBaseline?: boolean })[]
  readonly settings: EvalSettings
  progress(line: string): void
} & EvalLimits

const HEADLINE_ROUND = 3
export const REFERENCE = 'plain selection'

/** One compactor on one session at one cut. */
type Measured = {
  readonly set: string
  readonly session: string
  readonly round: number
  readonly counts: Counts
  readonly examples: Examples
}
type Column = {
  readonly compactor: EvalRun['compactors'][number]
  readonly measured: Measured[]
  readonly failures: CompactorReport['failures'][number][]
  readonly times: EvalTimes[string][number][]
}

/** Runs every compactor on every session and asks the same of each. */
export async function runEval(run: EvalRun): Promise<{ readonly report: EvalReport; readonly times: EvalTimes }> {
  const columns: Column[] = run.compactors.map((compactor) => ({ compactor, measured: [], failures: [], times: [] }))
  const sets: SetReport[] = []
  for (const { name: set, sessions } of run.sets) {
    const [measured, skipped]: [SetReport['sessions'][number][], string[]] = [[], []]
    for await (const session of sessions) {
      const cuts = cutsIn(session, run.settings)
      if (cuts.length === 0) {
        skipped.push(`${session.name}: too short for a compaction`)
        continue
      }
      measured.push({ name: session.name, hash: hashOfSession(session), messages: session.messages.length, cuts })
      const papers = cuts.map((at) => paperOf(session, at))
      for (const column of columns) {
        run.progress(`${column.compactor.name}: ${session.name}`)
        const { rounds, cost } = await play(session, cuts, column.compactor, run.settings, run)
        for (const [i, paper] of papers.entries()) {
          const one = rounds[i]
          if (one === undefined) continue
          const { round, failure, ms } = one
          const { counts, examples } = measureRound(one, paper)
          const whole = { ...counts, cost: { part: cost / 1_000, whole: 1 } }
          column.measured.push({ set, session: session.name, round, counts: whole, examples })
          column.times.push({ session: session.name, round, ms: Math.round(ms) })
          if (failure !== undefined) column.failures.push({ session: session.name, round, why: failure })
        }
      }
    }
    sets.push({ name: set, sessions: measured, skipped, leftOut: leftOutIn(columns[0]?.measured ?? [], set) })
  }
  const { pith, settings } = run
  const headlineRound = Math.min(HEADLINE_ROUND, ...sets.flatMap(({ sessions }) => mostCuts(sessions)))
  const headlines = headlinesOf(columns, sets, headlineRound)
  const compactors = columns.map((column, at) => ({ ...compactorReport(column, sets), ...headlines[at] }))
  const times = Object.fromEntries(columns.map(({ compactor, times: own }) => [compactor.name, own]))
  return { report: { pith, settings, sets, headlineRound, compactors }, times }
}

function mostCuts(sessions: SetReport['sessions']): number[] {
  return sessions.length === 0 ? [] : [Math.max(...sessions.map(({ cuts }) => cuts.length))]
}

/** The measured contexts of each round of a set. */
function roundsOf(measured: readonly Measured[], set: string): [round: number, contexts: readonly Measured[]][] {
  const own = Map.groupBy(
    measured.filter((one) => one.set === set),
    ({ round }) => round,
  )
  return [...own].toSorted(([a], [b]) => a - b)
}

/** All compactors are asked the same, so one of them shows what is asked. */
function leftOutIn(measured: readonly Measured[], set: string): SetReport['leftOut'] {
  return roundsOf(measured, set).flatMap(([round, contexts]) => {
    const asked = askedIn(sumOf(contexts.map(({ counts }) => counts)))
    return ASKED_ROWS.filter((row) => asked[row] < LEAST_ASKED).map((row) => ({ round, row, asked: asked[row] }))
  })
}

export function askedRows({ leftOut }: SetReport, round: number): AskedRow[] {
  return ASKED_ROWS.filter((row) => leftOut.every((one) => one.round !== round || one.row !== row))
}

/** The headline of each column, and its difference to the plain selection on the same sessions. */
function headlinesOf(
  columns: readonly Column[],
  sets: readonly SetReport[],
  round: number,
): Pick<CompactorReport, 'headline' | 'gap'>[] {
  const rows = new Map(sets.map((set) => [set.name, askedRows(set, round)]))
  const [first] = columns
  if (first === undefined) return []
  // Each member has one session's counts by every column, so that all columns draw the same sessions.
  const members = first.measured.flatMap(({ set, round: own }, at) =>
    own === round ? [{ set, all: columns.map(({ measured }) => measured[at]?.counts ?? {}) }] : [],
  )
  const of = (column: number, drawn: typeof members) =>
    mean(
      [...Map.groupBy(drawn, ({ set }) => set)].map(([set, own]) =>
        headlineOf(rows.get(set) ?? [], sumOf(own.map(({ all }) => all[column] ?? {}))),
      ),
    )
  const reference = columns.findIndex(({ compactor }) => compactor.name === REFERENCE)
  const between = (interval: Interval | undefined) =>
    interval && {
      mean: rounded(interval.mean) ?? 0,
      low: rounded(interval.low) ?? 0,
      high: rounded(interval.high) ?? 0,
    }
  return columns.map((_, column) => {
    if (of(column, members) === undefined) return {}
    const headline = between(bootstrapOf(members, (drawn) => of(column, [...drawn]) ?? 0))
    const gap =
      reference === -1 || column === reference
        ? undefined
        : between(bootstrapOf(members, (drawn) => (of(column, [...drawn]) ?? 0) - (of(reference, [...drawn]) ?? 0)))
    return { ...(headline === undefined ? {} : { headline }), ...(gap === undefined ? {} : { gap }) }
  })
}

function compactorReport({ compactor, measured, failures }: Column, sets: readonly SetReport[]): CompactorReport {
  const examples = (what: keyof Examples) =>
    [...new Set(measured.flatMap((one) => one.examples[what]))]
      .slice(0, MOST_LINES)
      .map((line) => line.slice(0, LINE_CHARACTERS))
  return {
    name: compactor.name,
    from: compactor.from,
    isBaseline: compactor.isBaseline === true,
    rounds: sets.flatMap((set) =>
      roundsOf(measured, set.name).map(([round, contexts]) => {
        const all = contexts.map(({ counts }) => counts)
        const left = set.leftOut.flatMap((one) => (one.round === round ? [[one.row, undefined]] : []))
        const figures = { ...figuresOf(all), ...Object.fromEntries(left) }
        return {
          set: set.name,
          round,
          sessions: all.length,
          passes: passesOf(all, compactor),
          figures,
          parts: partsOf(all),
        }
      }),
    ),
    failures,
    examples: {
      rules: examples('rules'),
      false: examples('false'),
      invented: examples('invented'),
      valid: examples('valid'),
    },
  }
}

const MOST_LINES = 20
const LINE_CHARACTERS = 300

function passesOf(all: readonly Counts[], { ignoresTarget }: Compactor): RoundReport['passes'] {
  const sum = sumOf(all)
  const refusing = CHECKED_PROVIDERS.filter((name) => sum(`valid: ${name}`).part < all.length)
  const over = all.length - sum('fits').part
  const names = sum('invented').part
  return {
    valid: refusing.length === 0 ? 'pass' : `fail: ${refusing.length} of ${CHECKED_PROVIDERS.length}`,
    fits: ignoresTarget === true ? 'no target' : over === 0 ? 'pass' : `fail: ${over} of ${all.length}`,
    invented: names === 0 ? 'pass' : `fail: ${names} ${names === 1 ? 'name' : 'names'}`,
  }
}
