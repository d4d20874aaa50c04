import { dirname } from 'node:path/posix'
import { type Accepted, reasonFor } from './accepted.ts'
import type { Mutant } from './mutants.ts'
import type { Trial } from './trial.ts'

export type Score = {
  readonly killed: number
  readonly timeout: number
  readonly survived: number
  readonly accepted: number
  /** Of the mutants that are not accepted; 100 when there is none. */
  readonly percent: number
}

/** The counts of a list of trials. A mutant that hangs counts as killed: a test would not end either. */
export function scoreOf(trials: readonly Trial[], accepted: readonly Accepted[]): Score {
  const count = (kind: string) => trials.filter(({ outcome }) => outcome.kind === kind).length
  const survivors = survivorsOf(trials)
  const open = survivors.filter(({ mutant }) => reasonFor(mutant, accepted) === undefined).length
  const noticed = count('killed') + count('timeout')
  return {
    killed: count('killed'),
    timeout: count('timeout'),
    survived: open,
    accepted: survivors.length - open,
    percent: noticed + open === 0 ? 100 : Math.floor((noticed * 1000) / (noticed + open)) / 10,
  }
}

/** The survivors, then the counts of each folder and of all. */
export function report(trials: readonly Trial[], accepted: readonly Accepted[]): string {
  const rooms = [...Map.groupBy(trials, ({ mutant }) => dirname(mutant.file))]
  const rows = rooms.map(([room, group]) => scoreLine(room, scoreOf(group, accepted)))
  if (rooms.length > 1) rows.push(scoreLine('all', scoreOf(trials, accepted)))
  const survivors = survivorsOf(trials).map((trial) => survivorLines(trial, accepted))
  return [...survivors, ...(survivors.length > 0 ? [''] : []), ...rows].join('\n')
}

/** Where a mutant is and what it changes. */
export function mutantLine({ file, line, column, kind, original, mutated }: Mutant): string {
  return `${file}:${line}:${column}  ${kind}  ${short(original)} → ${short(mutated)}`
}

function survivorLines({ mutant, outcome }: Trial, accepted: readonly Accepted[]): string {
  const reason = reasonFor(mutant, accepted)
  if (reason !== undefined) return `${mutantLine(mutant)}\n    accepted: ${reason}`
  const count = outcome.kind === 'survived' ? outcome.tests.length : 0
  const tests = count === 0 ? '  (no test runs it)' : `  (${count} tests ran)`
  return `${mutantLine(mutant)}${tests}\n    - ${mutant.before}\n    + ${mutant.after}`
}

function scoreLine(room: string, { killed, timeout, survived, accepted, percent }: Score): string {
  const counts = [`${killed} killed`, `${timeout} timed out`, `${survived} survived`, `${accepted} accepted`]
  return `${room}: ${percent}% (${counts.join(', ')})`
}

function survivorsOf(trials: readonly Trial[]): Trial[] {
  return trials.filter(({ outcome }) => outcome.kind === 'survived')
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  if (line === '') return '(nothing)'
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
