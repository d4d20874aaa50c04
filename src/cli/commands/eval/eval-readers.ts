import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KIND_NAMES } from '../../../eval/kit/kinds.ts'
import { runReaders } from '../../../eval/kit/readers.ts'
import { readersReport } from '../../../eval/kit/readers-report.ts'
import { cutsIn, type EvalSession } from '../../../eval/play.ts'
import { columns, note, print, showProgress } from '../../output/show.ts'
import { UsageError } from '../../process/exit-codes.ts'
import { interruptible } from '../../process/interruptible.ts'
import type { EvalFlags, ReaderFlags } from './eval.ts'
import { chosenCompactors, chosenSets, evalSettingsOf, TOO_SHORT } from './eval-compactors.ts'

/** Takes a blind test one stage further, and says what is missing or how it ended. */
export async function evalReaders(folder: string, flags: EvalFlags & ReaderFlags): Promise<void> {
  const compactors = await chosenCompactors(flags)
  if (compactors.length < 2)
    throw new UsageError('bad-argument', 'readers compare: name at least two compactors with --compactor')
  if (flags.judges < 2) throw new UsageError('bad-argument', '--judges: at least two, as one cannot be checked')
  const sessions: EvalSession[] = []
  for (const set of chosenSets(flags, () => {})) for await (const session of set.sessions) sessions.push(session)
  if (sessions.every((session) => cutsIn(session, evalSettingsOf(flags)).length === 0))
    throw new UsageError('bad-argument', TOO_SHORT)
  const outcome = await interruptible((signal) =>
    runReaders({
      folder,
      sessions,
      compactors,
      settings: evalSettingsOf(flags),
      judges: flags.judges,
      withRecall: flags.withRecall === true,
      signal,
      timeoutMs: flags.timeout * 1_000,
      progress: showProgress,
    }).finally(() => showProgress('')),
  )
  if (outcome.stage !== 'done') {
    print(`waiting for ${outcome.stage}: answer each NNNN.request.json with NNNN.answer.txt, then run this again`)
    for (const { folder: room, missing } of outcome.waiting) print(`  ${room}: ${missing} missing`)
    return
  }
  const report = readersReport(outcome.marks)
  writeFileSync(join(folder, 'readers.json'), `${JSON.stringify({ ...report, marks: outcome.marks }, null, 1)}\n`)
  const fixed = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(2))
  const rows = report.rows.map(({ compactor, all, kinds }) => [
    compactor,
    fixed(all?.mean),
    `${fixed(all?.low)} to ${fixed(all?.high)}`,
    ...kinds.map(fixed),
  ])
  for (const line of columns([['marks, 0 to 5', 'all', '95 %', ...KIND_NAMES], ...rows])) print(line)
  for (const { one, other, gap } of report.differences)
    print(`${one} − ${other}: ${fixed(gap?.mean)} (${fixed(gap?.low)} to ${fixed(gap?.high)})`)
  print(`two judges of one answer are ${fixed(report.judgesApart)} apart on average`)
  if (outcome.unread > 0) note(`${outcome.unread} marks could not be read and are left out`)
}
