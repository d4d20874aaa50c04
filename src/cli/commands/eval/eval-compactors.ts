import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BASELINES } from '../../../eval/baselines.ts'
import type { Compactor } from '../../../eval/compactor.ts'
import { madeSessions, recordedSessions, sessionFiles } from '../../../eval/eval-sessions.ts'
import { PARTS, REPORT_ROWS } from '../../../eval/figures.ts'
import { isAddress, loadCompactor } from '../../../eval/load-compactor.ts'
import { readForms } from '../../../eval/made/forms.ts'
import { PLAIN_SELECTION } from '../../../eval/plain-selection.ts'
import { FULL } from '../../../eval/play.ts'
import { brokenGates, type Gate } from '../../../eval/report/gates.ts'
import { reportPage } from '../../../eval/report/report-page.ts'
import {
  curveBlock,
  headlineBlock,
  type ReportBlock,
  roundBlocks,
  settingsLine,
} from '../../../eval/report/report-text.ts'
import { CURVE, type EvalReport, type EvalRun, hasPoint, runEval } from '../../../eval/run-eval.ts'
import { messageOf, PithError } from '../../../model/problems/errors.ts'
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
  if (flags.target >= flags.window * FULL)
    throw new UsageError(
      'bad-argument',
      `--target must be smaller than ${FULL * 100} % of --window, where a session is compacted`,
    )
  const gates = gatesOf(flags)
  const named = await chosenCompactors(flags)
  if (flags.out !== undefined) makeFolder(flags.out)
  const others = [PLAIN_SELECTION, ...(flags.baselines ? BASELINES : [])]
  const baselines = others.filter(({ name }) => named.every((one) => one.name !== name))
  const compactors = [...named, ...baselines.map((one) => ({ ...one, isBaseline: true }))]
  const done = await interruptible(async (signal) => {
    try {
      const main = await measured(flags, compactors, signal)
      const points: EvalReport[] = []
      for (const point of flags.curve === true ? CURVE : []) {
        const { windowTokens: window, targetTokens: target, rounds } = point
        const own = hasPoint(main.report, point)
          ? main
          : await measured({ ...flags, window, target, rounds }, compactors, signal)
        points.push(own.report)
      }
      return { ...main, points }
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
  const { report, times, points } = done
  if (report.sets.every(({ sessions }) => sessions.length === 0)) {
    const [skipped] = report.sets.flatMap((set) => set.skipped)
    throw new UsageError('bad-argument', skipped === undefined ? NO_SESSION : `${TOO_SHORT}; ${skipped}`)
  }
  if (flags.out !== undefined) writeReports(flags.out, report, points, times)
  if (flags.json === true) printJson(withCurve(report, points))
  else for (const line of reportLines(report, points, flags.rows === 'all')) print(line)
  printGates(report, gates)
  const isLost = report.compactors.some(
    ({ rounds, failures }) =>
      failures.length === report.sets.flatMap(({ sessions }) => sessions.flatMap(({ cuts }) => cuts)).length &&
      rounds.length > 0,
  )
  if (isLost) process.exitCode = EXIT.failed
}

async function measured(flags: EvalFlags, compactors: EvalRun['compactors'], signal: AbortSignal) {
  const unread: string[] = []
  const { report, times } = await runEval({
    pith: packageVersion(),
    sets: chosenSets(flags, (name) => unread.push(name)),
    compactors,
    settings: evalSettingsOf(flags),
    signal,
    timeoutMs: flags.timeout * 1_000,
    progress: showProgress,
  })
  const sets = report.sets.map((set) =>
    set.name === RECORDED ? { ...set, skipped: [...set.skipped, ...unread] } : set,
  )
  return { report: { ...report, sets }, times }
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

/** The made-up sessions, the recorded ones, or both if both are asked for. */
export function chosenSets(flags: EvalFlags, skip: (name: string) => void): EvalRun['sets'] {
  const { sessions, made, forms, seed, window, target, rounds } = flags
  const recorded =
    sessions === undefined ? [] : [{ name: RECORDED, sessions: recordedSessions(sessionFiles(sessions), skip) }]
  if (sessions !== undefined && [made, forms, seed].every((flag) => flag === undefined)) return recorded
  // Enough for all compactions, and for the calls after the last one.
  const tokens = rounds * (window * 0.8 - target) + target + AFTER_TOKENS
  const count = made ?? MADE
  const first = seed ?? 1
  const own = ownForms(forms)
  const name = `made up, seeds ${first} to ${first + count - 1}${own.name}`
  return [{ name, sessions: madeSessions(count, tokens, first, own.forms) }, ...recorded]
}

function ownForms(file: string | undefined): ReturnType<typeof readForms> {
  try {
    return readForms(file)
  } catch (error) {
    throw error instanceof PithError ? new UsageError(error.code, error.message) : error
  }
}

const RECORDED = 'recorded'
const MADE = 5
const AFTER_TOKENS = 30_000
export const NO_SESSION = '--sessions: there is no session'
const TOO_SHORT = 'no session is long enough for one compaction: try a smaller --window and --target'

export function evalSettingsOf({ window, target, rounds }: EvalFlags) {
  return { windowTokens: window, targetTokens: target, rounds }
}

function gatesOf({ min, max, maxFalse }: EvalFlags): Gate[] {
  const gate = (is: Gate['is'], text: string): Gate => {
    const [, figure = '', value = ''] = /^(.+?)=(\d+(?:\.\d+)?)$/.exec(text) ?? []
    if (value === '') throw new UsageError('bad-argument', `--${is} ${text}: write FIGURE=NUMBER, as in rules=1`)
    const known = [...new Set(['headline', ...Object.keys(REPORT_ROWS), ...Object.keys(PARTS)])]
    if (!known.includes(figure)) {
      const meant = nearest(figure, known)
      throw new UsageError(
        'bad-argument',
        `--${is}: there is no figure ${figure}, ${meant === undefined ? `write one of: ${known.join('; ')}` : `did you mean ${meant}?`}`,
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

function withCurve(report: EvalReport, points: readonly EvalReport[]): object {
  return points.length === 0 ? report : { ...report, curve: points }
}

/** Before the work, so that none is lost. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new UsageError('bad-argument', `--out ${folder}: ${messageOf(error).split(',')[0]}`)
  }
}

function writeReports(folder: string, report: EvalReport, points: readonly EvalReport[], times: object): void {
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(withCurve(report, points), null, 1)}\n`)
  writeFileSync(join(folder, 'report.html'), reportPage(report, points))
  writeFileSync(join(folder, 'times.json'), `${JSON.stringify(times, null, 1)}\n`)
  note(`wrote ${join(folder, 'report.html')}, report.json and times.json`)
}

/** One row a figure, one column a compactor: a terminal has more rows than columns. */
function reportLines(report: EvalReport, points: readonly EvalReport[], withParts: boolean): string[] {
  const names = report.compactors.map(({ name }) => name)
  const lines = ({ title, rows, notes }: ReportBlock) => [
    tinted(title, 'bold'),
    ...columns([['', ...names], ...rows], ['left', ...names.map(() => 'right' as const)]),
    ...notes.map((line) => muted(line)),
    '',
  ]
  const skipped = report.sets.flatMap((set) => set.skipped)
  return [
    ...roundBlocks(report, withParts).flatMap(lines),
    ...(points.length === 0 ? [] : lines(curveBlock(points))),
    ...lines(headlineBlock(report)),
    muted(settingsLine(report)),
    ...(skipped.length === 0 ? [] : [`left out: ${skipped.length}, first ${skipped[0]}`]),
    ...report.compactors.flatMap(({ name, failures: [first, ...rest] }) =>
      first === undefined
        ? []
        : [`${name}: failed compactions: ${rest.length + 1}, first in ${first.session}: ${first.why}`],
    ),
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
