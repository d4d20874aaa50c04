import type { Compactor } from './compactor.ts'
import { COUNTS, type CountName, type Examples, type Measures, measureRound, paperOf } from './measure.ts'
import {
  cutsIn,
  type EvalLimits,
  type EvalSession,
  type EvalSettings,
  hashOfSession,
  type Played,
  play,
} from './play.ts'
import type { Counted } from './probes/ledger.ts'
import { tallyOf } from './probes/tally.ts'
import { FACT_KINDS } from './truth/facts.ts'

/** A share from 0 to 1, or the tokens or the cost; undefined if nothing was asked. */
export type Figures = Readonly<Record<string, number | undefined>>

/** The numbers of a compactor after this many compactions, over all sessions that have that many. */
export type RoundFigures = { readonly round: number; readonly sessions: number; readonly figures: Figures }

export type CompactorReport = {
  readonly name: string
  readonly from: string
  readonly isBaseline: boolean
  readonly rounds: readonly RoundFigures[]
  /** The price of all requests of a session, in thousands of tokens of plain input. */
  readonly cost: number
  readonly failures: readonly { readonly session: string; readonly round: number; readonly why: string }[]
  /** The first rules that it lost, claims that the sessions contradict, names that it invented, and reasons of providers to refuse. */
  readonly examples: Examples
}

/** A report. It has no times in it: the same input gives the same bytes. */
export type EvalReport = {
  readonly pith: string
  readonly settings: EvalSettings & { readonly set: string }
  readonly sessions: readonly {
    readonly name: string
    readonly hash: string
    readonly messages: number
    readonly cuts: readonly number[]
  }[]
  readonly skipped: readonly string[]
  readonly compactors: readonly CompactorReport[]
}

/** The milliseconds of each compaction, which no two runs have in common. */
export type EvalTimes = Readonly<
  Record<string, readonly { readonly session: string; readonly round: number; readonly ms: number }[]>
>

/** The compactions that are reported, if a session has that many; its last one is always. */
const REPORTED: readonly number[] = [1, 3, 5, 10]

export type EvalRun = {
  readonly pith: string
  readonly set: string
  readonly sessions: AsyncIterable<EvalSession> | Iterable<EvalSession>
  readonly compactors: readonly (Compactor & { readonly isBaseline?: boolean })[]
  readonly settings: EvalSettings
  progress(line: string): void
} & EvalLimits

/** Runs every compactor on every session and asks the same of each. */
export async function runEval(run: EvalRun): Promise<{ readonly report: EvalReport; readonly times: EvalTimes }> {
  const { settings } = run
  const rows = run.compactors.map((compactor) => ({ compactor, played: [] as PlayedSession[] }))
  const sessions: EvalReport['sessions'][number][] = []
  const skipped: string[] = []
  for await (const session of run.sessions) {
    const cuts = cutsIn(session, settings)
    if (cuts.length === 0) {
      skipped.push(`${session.name}: too short for a compaction`)
      continue
    }
    sessions.push({ name: session.name, hash: hashOfSession(session), messages: session.messages.length, cuts })
    const asked = cuts.flatMap((at, i) =>
      REPORTED.includes(i + 1) || i === cuts.length - 1 ? [{ round: i + 1, at }] : [],
    )
    const papers = new Map(asked.map(({ round, at }) => [round, paperOf(session, at)]))
    for (const { compactor, played } of rows) {
      run.progress(`${compactor.name}: ${session.name}`)
      const result = await play(session, cuts, compactor, settings, run)
      const measures = result.rounds.flatMap((round) => {
        const paper = papers.get(round.round)
        // A context that was not compacted has everything in it: to measure that would reward a failure.
        if (paper === undefined || round.failure !== undefined) return []
        return [{ round: round.round, measures: measureRound(round, paper) }]
      })
      played.push({ session: session.name, result, measures })
    }
  }
  return {
    report: {
      pith: run.pith,
      settings: { ...settings, set: run.set },
      sessions,
      skipped,
      compactors: rows.map(({ compactor, played }) => compactorReport(compactor, played)),
    },
    times: Object.fromEntries(
      rows.map(({ compactor, played }) => [
        compactor.name,
        played.flatMap(({ session, result }) =>
          result.rounds.map(({ round, ms }) => ({ session, round, ms: Math.round(ms) })),
        ),
      ]),
    ),
  }
}

type PlayedSession = {
  readonly session: string
  readonly result: Pick<Played, 'rounds' | 'cost'>
  readonly measures: readonly { readonly round: number; readonly measures: Measures }[]
}

function compactorReport(
  compactor: Compactor & { readonly isBaseline?: boolean },
  played: readonly PlayedSession[],
): CompactorReport {
  const all = played.flatMap(({ measures }) => measures)
  const rounds = [...new Set(all.map(({ round }) => round))].toSorted((a, b) => a - b)
  const examples = (what: keyof Examples) =>
    [...new Set(all.flatMap(({ measures }) => measures.examples[what]))]
      .slice(0, MOST_LINES)
      .map((line) => line.slice(0, LINE_CHARACTERS))
  return {
    name: compactor.name,
    from: compactor.from,
    isBaseline: compactor.isBaseline === true,
    rounds: rounds.map((round) => {
      const own = all.filter((one) => one.round === round).map(({ measures }) => measures)
      return { round, sessions: own.length, figures: figuresOf(own) }
    }),
    cost: rounded(played.reduce((sum, { result }) => sum + result.cost, 0) / (played.length || 1) / 1000) ?? 0,
    failures: played.flatMap(({ session, result }) =>
      result.rounds.flatMap(({ round, failure }) => (failure === undefined ? [] : [{ session, round, why: failure }])),
    ),
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

function figuresOf(all: readonly Measures[]): Figures {
  const tally = tallyOf(all.map(({ score }) => score))
  const withoutLists = tallyOf(all.map(({ scoreWithoutLists }) => scoreWithoutLists))
  const share = (percent: number | undefined) => (percent === undefined ? undefined : percent / 100)
  const sum = (name: CountName) =>
    all.reduce<Counted>(
      ({ part, whole }, { counts }) => ({ part: part + counts[name].part, whole: whole + counts[name].whole }),
      { part: 0, whole: 0 },
    )
  const counts = COUNTS.map((name) => {
    const { part, whole } = sum(name)
    return [name, whole === 0 ? undefined : part / whole] as const
  })
  const figures = {
    facts: share(tally.mean()),
    'facts without lists': share(withoutLists.mean()),
    'facts, oldest quarter': share(withoutLists.mean(1)),
    'facts, newest quarter': share(withoutLists.mean(4)),
    stale: share(tally.stale),
    words: share(tally.recall('user message')),
    ...Object.fromEntries(counts),
    invented: share(tally.invented),
    tokens: Math.round(tally.tokens),
    ...Object.fromEntries(FACT_KINDS.map((kind) => [`fact: ${kind}`, share(tally.recall(kind))])),
  }
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)]))
}

function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 10_000) / 10_000
}
