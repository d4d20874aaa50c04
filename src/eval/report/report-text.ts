import { createHash } from 'node:crypto'
import { ASKED_ROWS, mean, PARTS, REPORT_ROWS } from '../figures.ts'
import type { CompactorReport, EvalReport, RoundReport } from '../run-eval.ts'

/** The figures of one round beside each other: a row is a figure, a cell a compactor. */
export type ReportBlock = {
  readonly title: string
  readonly rows: readonly (readonly string[])[]
  /** Why rows have no figures. */
  readonly notes: readonly string[]
}

/** Every round of every set, the same sessions in every column. */
export function roundBlocks({ sets, compactors }: EvalReport, withParts: boolean): ReportBlock[] {
  return sets.flatMap((set) => {
    const rounds = compactors[0]?.rounds.filter((one) => one.set === set.name) ?? []
    return rounds.map(({ round, sessions }) => {
      const own = compactors.map((one) => one.rounds.find((other) => other.set === set.name && other.round === round))
      const row = (name: string, cell: (one: RoundReport) => string) => [
        name,
        ...own.map((one) => (one ? cell(one) : '–')),
      ]
      const names = withParts ? Object.keys(PARTS).filter((name) => !(name in REPORT_ROWS)) : []
      return {
        title: `After ${round} ${round === 1 ? 'compaction' : 'compactions'}: ${counted(sessions, 'session')}, ${set.name}`,
        rows: [
          ...(['valid', 'fits', 'invented'] as const).map((name) => row(name, ({ passes }) => passes[name])),
          ...Object.keys(REPORT_ROWS).map((name) => row(name, ({ figures }) => figureText(name, figures[name]))),
          ...names.map((name) => row(`  ${name}`, ({ parts }) => figureText(name, parts[name]))),
        ],
        notes: set.leftOut
          .filter((one) => one.round === round)
          .map((one) => `“${one.row}” is left out: ${counted(one.asked, 'question')}, and fewer than 20 say little`),
      }
    })
  })
}

/** The headline of every compactor with its interval, its difference to the plain selection, and its tokens. */
export function headlineBlock({ headlineRound, sets, compactors }: EvalReport): ReportBlock {
  const interval = (one: CompactorReport['headline'], form: (value: number) => string) =>
    one === undefined || one.low === one.high ? '' : `${form(one.low)} to ${form(one.high)}`
  const row = (name: string, cell: (one: CompactorReport) => string) => [name, ...compactors.map(cell)]
  return {
    title: `Headline: the mean of the rows from “${ASKED_ROWS[0]}” to “${ASKED_ROWS.at(-1)}” after ${counted(headlineRound, 'compaction')}${sets.length > 1 ? ', and of all sets' : ''}`,
    rows: [
      row('headline', ({ headline }) => fixed(headline?.mean)),
      row('  not passed', (one) => failsIn(one, headlineRound)),
      row('  95 % interval', ({ headline }) => interval(headline, fixed)),
      row('  minus plain selection', ({ gap }) => (gap === undefined ? '' : signed(gap.mean))),
      row('  its 95 % interval', ({ gap }) => interval(gap, signed)),
      row('tokens', (one) => figureText('tokens', roundMean(one, headlineRound, 'tokens'))),
    ],
    notes: [
      ...winnerLines(compactors),
      ...sets.flatMap(({ name, leftOut }) => {
        const rows = leftOut.filter(({ round }) => round === headlineRound).map(({ row: left }) => `“${left}”`)
        return rows.length === 0 ? [] : [`Without ${rows.join(' and ')} of ${name}, which asks too little.`]
      }),
    ],
  }
}

/** The best headline, and how far those that are measured are from the plain selection. */
function winnerLines(compactors: readonly CompactorReport[]): string[] {
  const best = compactors.toSorted((a, b) => (b.headline?.mean ?? 0) - (a.headline?.mean ?? 0))[0]
  const gaps = compactors.flatMap(({ name, isBaseline, gap }) => {
    if (isBaseline || gap === undefined) return []
    const size = `${fixed(Math.abs(gap.mean))} ${gap.mean < 0 ? 'below' : 'above'} the plain selection`
    return [`${name} is ${size}${gap.low < 0 && gap.high > 0 ? ', which may be chance' : ''}`]
  })
  if (best?.headline === undefined) return []
  return [`From 0 to 1, more is better: ${[`${best.name} has most`, ...gaps].join('; ')}.`]
}

function failsIn({ rounds, failures }: CompactorReport, headlineRound: number): string {
  const own = rounds.filter(({ round }) => round === headlineRound)
  const failed = (['valid', 'fits', 'invented'] as const).flatMap((name) =>
    own.flatMap(({ passes }) => (passes[name] === 'pass' ? [] : passes[name].startsWith('fail') ? name : passes[name])),
  )
  return [...new Set(failed), ...(failures.length > 0 ? [`${failures.length} failed`] : [])].join(', ')
}

/** The headline and the tokens of each window and target. */
export function curveBlock(points: readonly EvalReport[]): ReportBlock {
  return {
    title: 'Headline (tokens) by window and target',
    rows: points.map(({ settings, headlineRound, compactors }) => [
      `${grouped(settings.windowTokens)} / ${grouped(settings.targetTokens)}`,
      ...compactors.map(
        (one) => `${fixed(one.headline?.mean)} (${figureText('tokens', roundMean(one, headlineRound, 'tokens'))})`,
      ),
    ]),
    notes: [],
  }
}

function roundMean({ rounds }: CompactorReport, round: number, figure: string): number | undefined {
  return mean(rounds.filter((one) => one.round === round).map(({ figures }) => figures[figure]))
}

/** A share with two decimals, tokens and their cost without any; `–` if nothing was asked. */
function figureText(figure: string, value: number | undefined): string {
  if (value === undefined) return '–'
  return /^(?:tokens|cost)$/.test(figure) ? grouped(Math.round(value)) : fixed(value)
}

function fixed(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(2)
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${fixed(Math.abs(value))}`
}

function grouped(value: number): string {
  return value.toLocaleString('en-US')
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** The conditions of every number in a report: another version, setting or session makes other numbers. */
export function settingsLine({ pith, settings, sets }: EvalReport): string {
  const { windowTokens, targetTokens, rounds } = settings
  const hash = createHash('sha256').update(sets.flatMap(({ sessions }) => sessions.map((one) => one.hash)).join())
  return [
    `Pith ${pith}`,
    `window ${grouped(windowTokens)}`,
    `target ${grouped(targetTokens)}`,
    `at most ${counted(rounds, 'compaction')}`,
    `sessions ${hash.digest('hex').slice(0, 12)}`,
  ].join(' · ')
}
