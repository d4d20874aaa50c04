import type { Compactor } from './compactor.ts'
import {
  ASKED_ROWS,
  type AskedRow,
  type Figures,
  figuresOf,
  headlineOf,
  mean,
  partFigures,
  summed,
  tooFew,
} from './figures.ts'
import { drawnFrom, type Interval, intervalOf } from './kit/bootstrap.ts'
import { type Examples, measureRound, paperOf, type Tallies } from './measure.ts'
import { cutsIn, type EvalLimits, type EvalSession, type EvalSettings, hashOfSession, play } from './play.ts'
import { listRemover } from './probes/name-lists.ts'
import { CHECKED_PROVIDERS } from './probes/validity.ts'

/** The numbers of a compactor after this many compactions, over all sessions of a set that have that many. */
export type RoundReport = {
  readonly set: string
  readonly round: number
  readonly sessions: number
  /** `pass`, or `fail:` and how much. */
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
/** The windows and targets of a curve: those of small and of large models, tight and wide. */
export const CURVE: readonly EvalSettings[] = [
  [64_000, 8_000],
  [64_000, 16_000],
  [200_000, 28_000],
  [200_000, 60_000],
].map(([windowTokens = 0, targetTokens = 0]) => ({ windowTokens, targetTokens, rounds: HEADLINE_ROUND }))

/** True if a report has a point of the curve: more rounds do not change its headline. */
export function hasPoint({ settings, headlineRound }: EvalReport, point: EvalSettings): boolean {
  const isSame = (what: 'windowTokens' | 'targetTokens') => settings[what] === point[what]
  return headlineRound === HEADLINE_ROUND && isSame('windowTokens') && isSame('targetTokens')
}
const REFERENCE = 'plain selection'

/** One compactor on one session at one cut. */
type Measured = {
  readonly set: string
  readonly session: string
  readonly round: number
  readonly ms: number
  readonly failure: string | undefined
  readonly counts: Tallies
  readonly examples: Examples
}
type Column = { readonly compactor: EvalRun['compactors'][number]; readonly measured: Measured[] }

/** Runs every compactor on every session and asks the same of each. */
export async function runEval(run: EvalRun): Promise<{ readonly report: EvalReport; readonly times: EvalTimes }> {
  const columns: Column[] = run.compactors.map((compactor) => ({ compactor, measured: [] }))
  const sets: SetReport[] = []
  for (const { name: set, sessions } of run.sets) {
    const [used, skipped]: [SetReport['sessions'][number][], string[]] = [[], []]
    for await (const session of sessions) {
      const { name, messages } = session
      const cuts = cutsIn(session, run.settings)
      if (cuts.length === 0) {
        skipped.push(`${name}: too short for a compaction`)
        continue
      }
      used.push({ name, hash: hashOfSession(session), messages: messages.length, cuts })
      const withoutNames = listRemover(messages)
      const papers = cuts.map((at) => ({ at, paper: paperOf(session, at, withoutNames) }))
      for (const { compactor, measured } of columns) {
        run.progress(`${compactor.name}: ${name}`)
        const { rounds, cost } = await play(session, cuts, compactor, run.settings, run)
        for (const one of rounds) {
          const paper = papers.find(({ at }) => at === one.at)?.paper
          if (paper === undefined) continue
          const { counts, examples } = measureRound(one, paper)
          const { round, ms, failure } = one
          const whole = { ...counts, cost: { part: cost / 1_000, whole: 1 } }
          measured.push({ set, session: name, round, ms: Math.round(ms), failure, counts: whole, examples })
        }
      }
    }
    // All compactors are asked the same, so the first one shows what is asked.
    const asked = roundsOf(columns[0]?.measured ?? [], set)
    const leftOut = asked.flatMap(([round, all]) => tooFew(talliesOf(all)).map((few) => ({ round, ...few })))
    sets.push({ name: set, sessions: used, skipped, leftOut })
  }
  const { pith, settings } = run
  const mostCuts = sets.map(({ sessions }) => Math.max(0, ...sessions.map(({ cuts }) => cuts.length)))
  const headlineRound = Math.min(HEADLINE_ROUND, ...mostCuts.filter((most) => most > 0))
  const headlines = headlinesOf(columns, sets, headlineRound)
  const compactors = columns.map((column, at) => ({ ...compactorReport(column, sets), ...headlines[at] }))
  const times = columns.map(({ compactor, measured }) => {
    return [compactor.name, measured.map(({ session, round, ms }) => ({ session, round, ms }))]
  })
  return { report: { pith, settings, sets, headlineRound, compactors }, times: Object.fromEntries(times) }
}

/** The measured contexts of each round of a set. */
function roundsOf(measured: readonly Measured[], set: string): [round: number, contexts: readonly Measured[]][] {
  const own = measured.filter((one) => one.set === set)
  return [...Map.groupBy(own, ({ round }) => round)].toSorted(([a], [b]) => a - b)
}

function talliesOf(measured: readonly Measured[]): Tallies[] {
  return measured.map(({ counts }) => counts)
}

/** The headline of each column, and its difference to the plain selection on the same sessions. */
function headlinesOf(
  columns: readonly Column[],
  sets: readonly SetReport[],
  round: number,
): Pick<CompactorReport, 'headline' | 'gap'>[] {
  // The place of a measured context is the same in every column, so that all of them draw the same sessions.
  const places = (columns[0]?.measured ?? []).flatMap((one, at) => (one.round === round ? [at] : []))
  // Each sample has as many sessions of a set as there are.
  const bySet = [...Map.groupBy(places, (at) => columns[0]?.measured[at]?.set).values()].map((own) => drawnFrom(own))
  const samples = [places, ...(bySet[0] ?? []).map((_, i) => bySet.flatMap((drawn) => drawn[i] ?? []))]
  const values = columns.map(({ measured }) =>
    samples.map((drawn) => {
      const all = drawn.flatMap((at) => measured[at] ?? [])
      return mean(
        sets.map(({ name, leftOut }) => {
          const rows = ASKED_ROWS.filter((row) => leftOut.every((one) => one.round !== round || one.row !== row))
          return headlineOf(rows, summed(talliesOf(all.filter(({ set }) => set === name))))
        }),
      )
    }),
  )
  const reference = values[columns.findIndex(({ compactor }) => compactor.name === REFERENCE)]
  return values.map((own) => {
    const [all, ...drawn] = own
    if (all === undefined) return {}
    const headline = intervalOf(
      all,
      drawn.map((value) => value ?? 0),
    )
    if (reference === undefined || reference === own) return { headline }
    const [gap = 0, ...gaps] = own.map((value, i) => (value ?? 0) - (reference[i] ?? 0))
    return { headline, gap: intervalOf(gap, gaps) }
  })
}

function compactorReport({ compactor, measured }: Column, sets: readonly SetReport[]): CompactorReport {
  const of = (what: keyof Examples) =>
    [...new Set(measured.flatMap((one) => one.examples[what]))]
      .slice(0, MOST_LINES)
      .map((line) => line.slice(0, LINE_CHARACTERS))
  return {
    name: compactor.name,
    from: compactor.from,
    isBaseline: compactor.isBaseline === true,
    rounds: sets.flatMap(({ name: set, leftOut }) =>
      roundsOf(measured, set).map(([round, contexts]) => {
        const all = talliesOf(contexts)
        const left = leftOut.flatMap((one) => (one.round === round ? [[one.row, undefined]] : []))
        const figures = { ...figuresOf(all), ...Object.fromEntries(left) }
        const passes = passesOf(all, compactor)
        return { set, round, sessions: all.length, passes, figures, parts: partFigures(all) }
      }),
    ),
    failures: measured.flatMap(({ session, round, failure: why }) =>
      why === undefined ? [] : [{ session, round, why }],
    ),
    examples: { rules: of('rules'), false: of('false'), invented: of('invented'), valid: of('valid') },
  }
}

const MOST_LINES = 20
const LINE_CHARACTERS = 300

function passesOf(all: readonly Tallies[], { ignoresTarget }: Compactor): RoundReport['passes'] {
  const sum = summed(all)
  const refusing = CHECKED_PROVIDERS.filter((name) => sum(`valid: ${name}`).part < all.length)
  const over = all.length - sum('fits').part
  const names = sum('invented').part
  return {
    valid: refusing.length === 0 ? 'pass' : `fail: ${refusing.length} of ${CHECKED_PROVIDERS.length} providers`,
    fits: ignoresTarget === true ? 'no target' : over === 0 ? 'pass' : `fail: ${over} of ${all.length} too long`,
    invented: names === 0 ? 'pass' : `fail: ${names} ${names === 1 ? 'name' : 'names'}`,
  }
}
