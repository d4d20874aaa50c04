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
import { chosenCompactors, chosenSets, evalSettingsOf, NO_SESSION } from './eval-compactors.ts'

/** Takes a blind test one stage further, and says what is missing or how it ended. */
export async function evalReaders(folder: string, flags: EvalFlags & ReaderFlags): Promise<void> {
  const compactors = await chosenCompactors(flags)
  const withRecall = flags.withRecall === true
  const recalling = withRecall ? compactors.filter(({ recall }) => recall !== undefined) : []
  if (withRecall && recalling.length === 0)
    throw new UsageError('bad-argument', '--with-recall: none of these compactors has a recall')
  if (compactors.length + recalling.length < 2)
    throw new UsageError('bad-argument', 'readers compare: name at least two compactors with --compactor')
  if (flags.judges < 2) throw new UsageError('bad-argument', '--judges: at least two, as one cannot be checked')
  const { sessions, leftOut } = await chosenSessions(flags)
  const settings = evalSettingsOf(flags)
  const outcome = await interruptible((signal) =>
    runReaders({
      folder,
      sessions,
      compactors,
      settings,
      judges: flags.judges,
      withRecall,
      signal,
      timeoutMs: flags.timeout * 1_000,
      progress: showProgress,
    }).finally(() => showProgress('')),
  )
  for (const line of leftOut) note(`left out: ${line}`)
  if (outcome.stage !== 'done') {
    print(`waiting for ${outcome.stage}: answer each NNNN.request.json with NNNN.answer.txt, then run this again`)
    for (const [room, missing] of outcome.missing) print(`  ${room}: ${missing} missing`)
    return
  }
  const report = readersReport(outcome.marks)
  const file = { settings, leftOut, ...report, marks: outcome.marks }
  writeFileSync(join(folder, 'readers.json'), `${JSON.stringify(file, null, 1)}\n`)
  const fixed = (value: number | undefined, digits = 2) => value?.toFixed(digits) ?? '–'
  const rows = report.rows.map(({ compactor, contextTokens, recallTokens, all, kinds }) => [
    compactor,
    fixed(contextTokens, 0),
    fixed(recallTokens, 0),
    fixed(all?.mean),
    `${fixed(all?.low)} to ${fixed(all?.high)}`,
    ...kinds.map((mean) => fixed(mean)),
  ])
  const head = ['marks, 0 to 5', 'context tokens', 'recall tokens', 'all', '95 %', ...KIND_NAMES]
  print(`sessions: ${sessions.length}, read after compaction ${flags.rounds}`)
  for (const line of columns([head, ...rows])) print(line)
  for (const { one, other, gap } of report.differences)
    print(`${one} minus ${other}: ${fixed(gap?.mean)} (${fixed(gap?.low)} to ${fixed(gap?.high)})`)
  print(`two judges of one answer are ${fixed(report.judgesApart)} apart on average`)
  const [unread] = outcome.unread
  if (unread !== undefined) note(`${outcome.unread.length} marks could not be read and are left out, first ${unread}`)
}

/** The sessions that get as far as the last round, and why the others are left out. */
async function chosenSessions(flags: EvalFlags) {
  const { rounds } = flags
  const sessions: EvalSession[] = []
  const leftOut: string[] = []
  for (const set of chosenSets(flags, (name) => leftOut.push(name)))
    for await (const session of set.sessions) {
      const { length } = cutsIn(session, evalSettingsOf(flags))
      if (length === rounds) sessions.push(session)
      else leftOut.push(`${session.name}: too short, ${length} of ${rounds} compactions`)
    }
  if (sessions.length > 0) return { sessions, leftOut }
  const [first, ...others] = leftOut
  if (first === undefined) throw new UsageError('bad-argument', NO_SESSION)
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  throw new UsageError(
    'bad-argument',
    `no session is long enough for ${rounds} compactions: try a smaller --window and --target, or fewer --rounds (${first}${more})`,
  )
}
