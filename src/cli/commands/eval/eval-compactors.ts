import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BASELINES } from '../../../eval/baselines.ts'
import type { Compactor } from '../../../eval/compactor.ts'
import { madeSessions, recordedSessions, sessionFiles } from '../../../eval/eval-sessions.ts'
import { isAddress, loadCompactor } from '../../../eval/load-compactor.ts'
import type { EvalSession } from '../../../eval/play.ts'
import { brokenGates, type Gate } from '../../../eval/report/gates.ts'
import { FIGURES, figureText, lastFigures, reportPage, settingsLine } from '../../../eval/report/report-page.ts'
import { type EvalReport, runEval } from '../../../eval/run-eval.ts'
import { nearest } from '../../../model/problems/problem-text.ts'
import { isAgreed } from '../../output/ask.ts'
import { columns, muted, note, print, printJson, showProgress, tinted } from '../../output/show.ts'
import { EXIT, UsageError } from '../../process/exit-codes.ts'
import { interruptible } from '../../process/interruptible.ts'
import { packageVersion } from '../../process/package.ts'
import type { EvalFlags } from './eval.ts'

/** Runs the compactors on the sessions, prints a table, and ends with 1 if a gate is broken. */
export async function evalCompactors(flags: EvalFlags): Promise<void> {
  const { log } = console
  // A module of the user's may print, and this output is read by programs.
  if (flags.json === true) console.log = console.error
  try {
    await measureAll(flags)
  } finally {
    console.log = log
  }
}

async function measureAll(flags: EvalFlags): Promise<void> {
  if (flags.target >= flags.window) throw new UsageError('bad-argument', '--target must be smaller than --window')
  const gates = gatesOf(flags)
  const named = await chosenCompactors(flags)
  const baselines = flags.baselines ? BASELINES.filter(({ name }) => named.every((one) => one.name !== name)) : []
  const skipped: string[] = []
  const sessions = chosenSessions(flags, (name) => skipped.push(name))
  const done = await interruptible(async (signal) => {
    try {
      return await runEval({
        pith: packageVersion(),
        set: setName(flags),
        sessions,
        compactors: [...named, ...baselines.map((one) => ({ ...one, isBaseline: true }))],
        settings: evalSettingsOf(flags),
        signal,
        timeoutMs: flags.timeout * 1_000,
        progress: showProgress,
      })
    } catch (error) {
      if (signal.aborted) return undefined
      throw error
    } finally {
      showProgress('')
    }
  })
  if (done === undefined) {
    note('pith: interrupted, nothing was written')
    process.exitCode = EXIT.interrupted
    return
  }
  const report = { ...done.report, skipped: [...done.report.skipped, ...skipped] }
  if (report.sessions.length === 0)
    throw new UsageError('bad-argument', [TOO_SHORT, ...report.skipped.slice(0, 1)].join('; '))
  if (flags.out !== undefined) writeReports(flags.out, report, done.times)
  if (flags.json === true) printJson(report)
  else for (const line of tableLines(report)) print(line)
  printGates(report, gates)
  if (report.compactors.some(({ rounds }) => rounds.length === 0)) process.exitCode = EXIT.failed
}

/** The compactors that the user named, after a question if sessions would leave this machine. */
export async function chosenCompactors({ compactor, yes, sessions }: EvalFlags): Promise<Compactor[]> {
  const specs = compactor.length === 0 ? ['pith'] : compactor
  for (const spec of specs.filter(isAddress)) {
    const what = sessions === undefined ? 'made-up sessions' : `every message of the sessions in ${sessions}`
    note(`pith: warning: ${what} will be sent to ${spec}`)
    if (sessions === undefined || yes === true) continue
    if (!process.stdin.isTTY) throw new UsageError('bad-argument', `add --yes to send recorded sessions to ${spec}`)
    if (!(await isAgreed('Send them?'))) throw new UsageError('bad-argument', 'nothing was sent')
  }
  const loaded = await Promise.all(specs.map((spec) => loadCompactor(spec, packageVersion())))
  const twice = loaded.find(({ name }, i) => loaded.findIndex((other) => other.name === name) !== i)
  if (twice !== undefined)
    throw new UsageError('bad-argument', `two compactors are called ${twice.name}: export another \`name\` from one`)
  return loaded
}

export function chosenSessions(
  flags: EvalFlags,
  skip: (name: string) => void,
): AsyncIterable<EvalSession> | Iterable<EvalSession> {
  if (flags.sessions !== undefined) return recordedSessions(sessionFiles(flags.sessions), skip)
  const { made, window, target, rounds } = flags
  // Enough for all compactions, and for the calls after the last one.
  return madeSessions(made, rounds * (window * 0.8 - target) + target + AFTER_TOKENS)
}

const AFTER_TOKENS = 30_000
export const TOO_SHORT = 'no session is long enough for one compaction: try a smaller --window and --target'

export function evalSettingsOf({ window, target, rounds }: EvalFlags) {
  return { windowTokens: window, targetTokens: target, rounds }
}

function setName({ sessions, made }: EvalFlags): string {
  return sessions === undefined ? `made up, seeds 1 to ${made}` : 'recorded'
}

function gatesOf({ min, max, maxFalse }: EvalFlags): Gate[] {
  const gate = (is: Gate['is'], text: string): Gate => {
    const [, figure = '', value = ''] = /^(.+?)=(\d+(?:\.\d+)?)$/.exec(text) ?? []
    if (value === '') throw new UsageError('bad-argument', `--${is} ${text}: write FIGURE=NUMBER, as in rules=1`)
    const known = [...Object.keys(FIGURES), 'cost']
    if (!known.includes(figure)) {
      const meant = nearest(figure, known)
      throw new UsageError(
        'bad-argument',
        `--${is}: there is no figure ${figure}, ${meant === undefined ? `write one of ${known.join(', ')}` : `did you mean ${meant}?`}`,
      )
    }
    return { figure, is, value: Number(value) }
  }
  return [
    ...min.map((text) => gate('min', text)),
    ...max.map((text) => gate('max', text)),
    ...(maxFalse === undefined ? [] : [{ figure: 'false', is: 'max' as const, value: maxFalse }]),
  ]
}

function writeReports(folder: string, report: EvalReport, times: object): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(report, null, 1)}\n`)
  writeFileSync(join(folder, 'report.html'), reportPage(report))
  writeFileSync(join(folder, 'times.json'), `${JSON.stringify(times, null, 1)}\n`)
  note(`wrote ${join(folder, 'report.html')}, report.json and times.json`)
}

/** One row a figure, one column a compactor: a terminal has more rows than columns. */
function tableLines(report: EvalReport): string[] {
  const { compactors, sessions, skipped, settings } = report
  const last = Math.max(...sessions.map(({ cuts }) => cuts.length))
  const head = ['', ...compactors.map(({ name }) => name)]
  const rows = Object.entries(FIGURES).map(([figure]) => [
    figure,
    ...compactors.map((one) => figureText(figure, lastFigures(one)[figure])),
  ])
  const costs = ['cost', ...compactors.map(({ cost }) => figureText('cost', cost))]
  const failures = compactors.flatMap(({ name, failures: all }) =>
    all.length === 0 ? [] : [`${name}: failed compactions: ${all.length}, first in ${all[0]?.session}: ${all[0]?.why}`],
  )
  return [
    tinted(`${sessions.length} sessions (${settings.set}), after up to ${last} compactions`, 'bold'),
    muted(settingsLine(report)),
    ...(skipped.length === 0 ? [] : [`left out: ${skipped.length}, first ${skipped[0]}`]),
    ...columns([head, ...rows, costs], ['left', ...compactors.map(() => 'right' as const)]),
    ...failures,
  ]
}

function printGates({ compactors }: EvalReport, gates: readonly Gate[]): void {
  if (gates.length === 0) return
  for (const report of compactors.filter(({ isBaseline }) => !isBaseline)) {
    const broken = brokenGates(report, gates)
    note(broken.length === 0 ? `${report.name}: passed` : `${report.name}: FAILED: ${broken.join('; ')}`)
    if (broken.length > 0) process.exitCode = EXIT.failed
  }
}
