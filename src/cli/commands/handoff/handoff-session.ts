import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { programProblem } from '../../../config/places/program-path.ts'
import type { RecordSeal } from '../../../engine/record/read/record-place.ts'
import { outcomeLines, unusedFocusIn } from '../../../engine/report/outcome.ts'
import { type AgentFile, encode, formatNamed, RESUMABLE_FORMATS, type ResumableFormat } from '../../../formats/index.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { printable, shellWord } from '../../../model/text.ts'
import { type CompactedLog, compactLog } from '../../compaction/compact-log.ts'
import { withProgress } from '../../compaction/with-progress.ts'
import { note, print } from '../../output/show.ts'
import { withoutSecrets, writeNew } from '../../output/write-session.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { evenUnread } from '../../process/interruptible.ts'
import { onThisMachine } from '../../sessions/find-session-files.ts'
import { sealFrom } from '../../sessions/record-source.ts'
import { openSource, type SessionSource } from '../../sessions/session-source.ts'
import { loadSetup, type Setup } from '../../setup/setup.ts'
import type { HandoffFlags } from './handoff.ts'

/** Compacts the named session, writes it where the agent looks for it, and says or runs what resumes it there. */
export async function handoff(what: string, flags: HandoffFlags): Promise<number> {
  const format = RESUMABLE_FORMATS.find((name) => name === flags.to)
  if (format === undefined) throw new PithError('bad-argument', `sessions cannot be handed off to ${flags.to}`)
  const folder = projectFolder(flags.folder ?? '.')
  const setup = loadSetup({})
  const source = await openSource(what, setup)
  const written = await evenUnread(async () => {
    const made = await compacted(source, setup, flags)
    if (typeof made === 'number') return made
    const { seal, keep } = sealFrom(source)
    const file = write(await withoutSecrets(source.session, made.after, made.redact), format, folder, seal)
    keep(made.after)
    return file
  })
  if (typeof written === 'number') return written
  const { file, command } = written
  const { label } = formatNamed(format)
  note(`To undo, delete this one file: ${printable(file)}`)
  if (flags.run === true) return runAgent(command, folder)
  note(`To continue in ${label}:`)
  print(commandLine(command, folder))
  return EXIT.done
}

/** The folder as its agent will see it: links are followed, as the agents do. */
function projectFolder(folder: string): string {
  try {
    if (statSync(folder).isDirectory()) return realpathSync(folder)
  } catch {}
  throw new PithError('bad-argument', `there is no folder ${folder}: name the project that the agent works in`)
}

/** The session with one more compaction, or unchanged if there is nothing to compact; the exit code if it was stopped or failed. */
async function compacted(
  { session, model }: SessionSource,
  setup: Setup,
  flags: HandoffFlags,
): Promise<CompactedLog | number> {
  const { entries, workspace } = session
  const { policy } = setup.config.settings
  const made = await withProgress(setup, flags, (about) =>
    compactLog(entries, { ...about, flags, model, workspace, policy, isForOther: flags.to !== session.format }),
  )
  const { result } = made
  for (const line of outcomeLines(result)) note(line)
  const unused = unusedFocusIn(result.entries)
  if (unused !== undefined) note(`  ${unused}`)
  if (result.outcome === 'cancelled') return EXIT.interrupted
  return result.outcome === 'failed' ? EXIT.failed : made
}

function write(
  { session, log }: Awaited<ReturnType<typeof withoutSecrets>>,
  format: ResumableFormat,
  workspace: string,
  seal: RecordSeal | undefined,
): { file: string; command: readonly string[] } {
  const deps = { ids: randomUUID, clock: Date.now, seal }
  const made: AgentFile = encode({ ...session, workspace, entries: log }, format, deps)
  const { resume, places } = formatNamed(format)
  if (resume === undefined) throw new Error('unreachable: the format can be resumed')
  const [home = ''] = onThisMachine(resume.folder, places?.variables ?? [])
  const path = join(home, made.place)
  mkdirSync(dirname(path), { recursive: true })
  return { file: writeNew(path, made), command: resume.command({ sessionId: made.sessionId, path }) }
}

/** A command as one line for a shell, with the way to its folder where that is another one. */
function commandLine(command: readonly string[], folder: string, here = process.cwd()): string {
  const line = command.map(shellWord).join(' ')
  return folder === here ? line : `cd ${shellWord(folder)} && ${line}`
}

/** Runs a command in a folder with this terminal, and returns its exit code. */
async function runAgent([program = '', ...args]: readonly string[], folder: string): Promise<number> {
  const problem = programProblem(program, process.env.PATH ?? '')
  if (problem !== undefined) throw new PithError('bad-argument', `${program} cannot be run: ${problem}`)
  // Ctrl+C is the agent's while it runs.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    return await new Promise<number>((resolve, reject) => {
      const child = spawn(program, args, { cwd: folder, stdio: 'inherit' })
      child.once('error', ({ message }) =>
        reject(new PithError('bad-argument', `${program} cannot be run: ${message}`)),
      )
      child.once('exit', (code) => resolve(code ?? EXIT.failed))
    })
  } finally {
    process.removeListener('SIGINT', ignore)
  }
}
