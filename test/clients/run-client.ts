import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findSessionFiles, type SessionFile } from '../../src/cli/sessions/find-session-files.ts'
import type { Client, ClientPlace, SessionName } from './client.ts'

/** How an agent ended. */
export type ClientRun = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** An agent in a home folder and a workspace of its own. */
export type RunningClient = {
  readonly client: Client
  readonly place: ClientPlace
  readonly program: string
  /** The variables that it runs with, HOME among them. */
  readonly env: Readonly<Record<string, string>>
  readonly start: (prompt: string) => Promise<ClientRun>
  readonly resume: (session: SessionName, prompt: string) => Promise<ClientRun>
  /** Runs it with any arguments. */
  readonly run: (args: readonly string[], input?: string) => Promise<ClientRun>
  /** The sessions that it has written, newest first, as `pith sessions` finds them. */
  readonly sessions: () => SessionFile[]
  /** Ends what runs now, as a person does who closes the terminal. */
  readonly end: () => void
  readonly remove: () => void
}

/** Prepares an agent whose program is at a path. None of this machine's settings reach it. */
export function placeClient(
  client: Client,
  { program, url, window = 200_000 }: { program: string; url: string; window?: number },
): RunningClient {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `pith-${client.name}-`)))
  const place = { home: join(root, 'home'), workspace: join(root, 'work'), url, window }
  mkdirSync(place.home)
  mkdirSync(join(place.workspace, '.git'), { recursive: true })
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { PATH, HOME: place.home, TERM: 'dumb', CI: '1', ...client.setUp(place) }
  let end = () => {}
  const run = (args: readonly string[], input?: string) => {
    const stop = new AbortController()
    end = () => stop.abort()
    return ran(program, args, { cwd: place.workspace, env, input, signal: stop.signal })
  }
  return {
    client,
    place,
    program,
    env,
    run,
    start: (prompt) => run(client.start(prompt, place)),
    resume: (session, prompt) => run(client.resume(session, prompt, place)),
    end: () => end(),
    sessions: () => findSessionFiles(env).filter(({ format }) => format === client.format),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Generous: several of these agents need half a minute to start on a loaded machine. */
const LONGEST_RUN_MS = 240_000

async function ran(
  program: string,
  args: readonly string[],
  { cwd, env, input, signal }: { cwd: string; env: Record<string, string>; input?: string; signal: AbortSignal },
): Promise<ClientRun> {
  // A group of its own: agents start helpers that outlive them.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  const end = () => child.pid !== undefined && killGroup(child.pid)
  const timer = setTimeout(end, LONGEST_RUN_MS)
  signal.addEventListener('abort', end, { once: true })
  const failed = new Promise<string>((resolve) => child.once('error', (error) => resolve(error.message)))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const code = await Promise.race([ended, failed])
  clearTimeout(timer)
  end()
  if (typeof code === 'string') return { code: null, stdout: '', stderr: code }
  const [stdout, stderr] = await output
  return { code, stdout, stderr }
}

/** Ends a process and all that it has started. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {}
}
