import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { programProblem } from '../../../config/places/program-path.ts'
import type { RecordSeal } from '../../../engine/record/record-place.ts'
import { outcomeLines, unusedFocusIn } from '../../../engine/report/outcome.ts'
import {
  type AgentFile,
  type DecodedSession,
  encode,
  formatNamed,
  RESUMABLE_FORMATS,
  type ResumableFormat,
} from '../../../formats/index.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { printable, shellWord } from '../../../model/text.ts'
import { importSession } from '../../../session/import/import-session.ts'
import { LOCAL_OWNER } from '../../../store/store.ts'
import { type CompactedLog, compactLog } from '../../compaction/compact-log.ts'
import { withProgress } from '../../compaction/with-progress.ts'
import { note, print } from '../../output/show.ts'
import { refuseExisting, written as sessionFile, withoutSecrets, writeNew } from '../../output/write-session.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { evenUnread } from '../../process/interruptible.ts'
import { onThisMachine } from '../../sessions/find-session-files.ts'
import { sealFrom } from '../../sessions/record-source.ts'
import { openSource, type SessionSource } from '../../sessions/session-source.ts'
import { knownModels, loadSetup, type Setup, withStore } from '../../setup/setup.ts'
import { openBundle, refuseBundle, storeOnServer, writeBundle } from './bundle.ts'
import { handedOver } from './handed-over.ts'
import type { HandoffFlags } from './handoff.ts'

/**
 * Compacts a session, writes it where the agent looks for it, and says or runs what resumes it there. Without a session, it is
 * the one that a colleague handed over.
 */
export async function handoff(what: string | undefined, to: string, flags: HandoffFlags): Promise<number> {
  const agent = to === 'pith' ? to : RESUMABLE_FORMATS.find((name) => name === to)
  if (agent === undefined) throw new PithError('bad-argument', `sessions cannot be handed off to ${to}`)
  const folder = projectFolder(flags.folder ?? '.')
  const setup = loadSetup({})
  const source = what === undefined ? await openBundle(flags.open ?? '', setup) : await ownSource(what, setup)
  const written = await evenUnread(async () => {
    const made = await compacted(source, setup, flags)
    if (typeof made === 'number') return made
    const clean = await withoutSecrets(source.session, made.after, made.redact)
    if (what === undefined) return write(handedOver(clean.session, clean.log), { agent, folder, setup })
    const { seal, keep } = sealFrom(source)
    const file = await write({ ...clean.session, entries: clean.log }, { agent, folder, setup, seal })
    keep(made.after)
    return file
  })
  if (typeof written === 'number') return written
  const { place, command } = written
  const { label } = formatNamed(agent)
  note(place)
  if (flags.run === true) return runAgent(command, folder)
  note(`To continue in ${label}:`)
  print(commandLine(command, folder))
  return EXIT.done
}

/** Compacts a session for a colleague, and writes it into a bundle or stores it on a server. */
export async function giveToColleague(what: string, flags: HandoffFlags): Promise<number> {
  const { bundle, server } = flags
  refuseExisting(bundle)
  const setup = loadSetup({})
  const source = await ownSource(what, setup)
  return evenUnread(async () => {
    const made = await compacted(source, setup, flags)
    if (typeof made === 'number') return made
    const { session, log } = await withoutSecrets(source.session, made.after, made.redact)
    const file = sessionFile(session, log, 'pith')
    if (server === undefined) {
      const path = writeBundle(bundle ?? '', file)
      note('It has the whole session: only keys, tokens and passwords were left out. `gzip -dc` shows it.')
      note(
        `To continue in the folder of the project: pith handoff --open ${shellWord(basename(path))} --to claude-code`,
      )
      print(printable(path))
      return EXIT.done
    }
    const { link, expires } = await storeOnServer(file.text, { ...flags, server })
    note(`Whoever has this link can read the session until ${expires.slice(0, 16).replace('T', ' ')} UTC.`)
    note('To continue in the folder of the project: pith handoff --open LINK --to claude-code')
    print(link)
    return EXIT.done
  })
}

function ownSource(what: string, setup: Setup): Promise<SessionSource> {
  refuseBundle(what)
  return openSource(what, setup)
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

type WritePlace = {
  readonly agent: ResumableFormat | 'pith'
  readonly folder: string
  readonly setup: Setup
  readonly seal?: RecordSeal | undefined
}

type WrittenSession = { readonly place: string; readonly command: readonly string[] }

/** Writes a session as a file of the agent, or stores it as one of ours. */
async function write(session: DecodedSession, { agent, folder, setup, seal }: WritePlace): Promise<WrittenSession> {
  const here = { ...session, workspace: folder }
  if (agent === 'pith') {
    const { owner, known } = { owner: LOCAL_OWNER, known: knownModels(setup) }
    const { id } = await withStore(setup, (store) => importSession(store, here, { owner, workspace: folder, known }))
    return { place: `Stored as session ${id} of Pith`, command: ['pith', '--session', id] }
  }
  const made: AgentFile = encode(here, agent, { ids: randomUUID, clock: Date.now, seal })
  const { resume, places } = formatNamed(agent)
  if (resume === undefined) throw new Error('unreachable: the format can be resumed')
  const [home = ''] = onThisMachine(resume.folder, places?.variables ?? [])
  const path = join(home, made.place)
  mkdirSync(dirname(path), { recursive: true })
  const file = writeNew(path, made)
  return {
    place: `To undo, delete this one file: ${printable(file)}`,
    command: resume.command({ sessionId: made.sessionId, path }),
  }
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
