import { execFile, spawnSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { inject, onTestFinished, type TestContext } from 'vitest'
import { runToEnd } from '../../src/cli/run-command-line.ts'
import type { ConfigFolders } from './config-folders.ts'
import { full } from './full.ts'
import { addedListeners, setEnvironment } from './shared-process.ts'
// Node 22 warns of its SQLite when that is loaded: now, and not into the output of the first command.
import 'node:sqlite'

const MAIN = inject('program')

/** How a command ended. */
export type Ended = { readonly stdout: string; readonly stderr: string; readonly code: number | null }

/** How long a command may take to end that is interrupted. */
const LEAVING_MS = 2_000

/**
 * Runs a command line in the user's workspace, without this machine's settings. It runs in this process, which
 * takes a tenth of the time of one of its own: for commands that need no input and end by themselves. One that does not end
 * fails its test alone: with the test it is interrupted, and the process is as before, whether or not the command heeds that.
 */
export async function pith(
  { workspace, home, env: own }: ConfigFolders,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  let ended: Promise<void> | undefined
  let isGivenUp = false
  // A test that is out of time fails, and the rest of this function waits on.
  onTestFinished(async () => {
    if (ended === undefined) return
    isGivenUp = true
    interrupt()
    await Promise.race([ended, setTimeout(LEAVING_MS, undefined, { ref: false })])
    stopListening()
    giveBack()
  })
  const out = { stdout: '', stderr: '' }
  const interrupt = interruption()
  const stopListening = addedListeners()
  const giveBack = borrowProcess((name, text) => (out[name] += text))
  try {
    process.chdir(workspace)
    setEnvironment({ PATH: process.env.PATH, HOME: home, ...own, ...env })
    process.exitCode = undefined
    ended = runToEnd(args)
    await ended
    if (isGivenUp) throw new Error(`pith ${args.join(' ')} still ran when its test ended`)
    return { ...out, code: Number(process.exitCode ?? 0) }
  } finally {
    ended = undefined
    giveBack()
  }
}

/** Takes what is printed, and remembers the rest that a command changes. Returns what gives all of it back, once. */
function borrowProcess(take: (name: 'stdout' | 'stderr', text: string) => void): () => void {
  const before = { env: { ...process.env }, folder: process.cwd(), code: process.exitCode }
  const streams = [
    noInput(),
    ...(['stdout', 'stderr'] as const).map((name) => caught(name, (text) => take(name, text))),
  ]
  let isBorrowed = true
  return () => {
    // By then it may be another command's.
    if (!isBorrowed) return
    isBorrowed = false
    setEnvironment(before.env)
    process.chdir(before.folder)
    process.exitCode = before.code
    for (const restore of streams) restore()
  }
}

/** The effect that Ctrl+C would have on all that begins to listen from now on, and on nothing else in this process. */
function interruption(): () => void {
  const others = process.rawListeners('SIGINT')
  return () => {
    const own = process.rawListeners('SIGINT').filter((listener) => !others.includes(listener))
    for (const listener of own) Reflect.apply(listener, process, ['SIGINT'])
  }
}

/** An input that is at its end: a command that reads the one of this process waits forever. */
function noInput(): () => void {
  const before = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {}
  Object.defineProperty(process, 'stdin', { value: Readable.from([]), configurable: true })
  return () => Object.defineProperty(process, 'stdin', before)
}

/** Takes what is written to a stream of this process, until it is restored. */
function caught(name: 'stdout' | 'stderr', take: (text: string) => void): () => void {
  const stream = process[name]
  const { write } = stream
  stream.write = (text: string | Uint8Array, ...rest: unknown[]) => {
    take(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'))
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }
  return () => {
    stream.write = write
  }
}

/** Nothing else ends a program that hangs: while it runs, this process waits, and so do the deadlines of its tests. */
const HANGS_MS = 300_000

/** The program as it ships, in a process of its own. */
export function pithProcess(folders: ConfigFolders, args: readonly string[], env: NodeJS.ProcessEnv = {}): Ended {
  const { stdout, stderr, status, error } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: folders.workspace,
    env: { PATH: process.env.PATH, HOME: folders.home, ...folders.env, ...env },
    encoding: 'utf8',
    timeout: HANGS_MS,
  })
  if (error !== undefined) throw error
  return { stdout, stderr, code: status }
}

/** The same through a shell, where `pith` is a command, and `"$NODE" "$MAIN"` is one in the shells that it starts. */
export function shell(folders: ConfigFolders, line: string, env: NodeJS.ProcessEnv = {}): Ended {
  const script = `pith() { "$NODE" "$MAIN" "$@"; }\n${line}`
  const { stdout, stderr, status, error } = spawnSync('sh', ['-c', script], {
    cwd: folders.workspace,
    env: { PATH: process.env.PATH, HOME: folders.home, NODE: process.execPath, MAIN, ...folders.env, ...env },
    encoding: 'utf8',
    timeout: HANGS_MS,
  })
  if (error !== undefined) throw error
  return { stdout, stderr, code: status }
}

/** Leaves out a test that needs a terminal made by `script`, on a system that does not have the one of util-linux. */
export function needsScript(test: TestContext): void {
  if (spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0) return
  const reason = 'needs `script` of util-linux'
  console.warn(`Not tried: ${test.task.name}: ${reason}`)
  test.skip(reason)
}

/**
 * Commands of `pith` as they are typed. The long form types them into a shell; here each is run in this process if
 * there is nothing in the line but words, variables before a command and `&&`.
 */
export async function typed(folders: ConfigFolders, line: string): Promise<Ended> {
  const commands = line.split(' && ')
  if (full || commands.some((command) => /[|<>$*;&`\\]/.test(command))) return shell(folders, line)
  let ended: Ended = { stdout: '', stderr: '', code: 0 }
  for (const command of commands) {
    const words = (command.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
    const at = words.indexOf('pith')
    const env = Object.fromEntries(words.slice(0, at).map((word) => word.split('=')))
    const { stdout, stderr, code } = await pith(folders, words.slice(at + 1), env)
    ended = { stdout: `${ended.stdout}${stdout}`, stderr: `${ended.stderr}${stderr}`, code }
    if (code !== 0) break
  }
  return ended
}

/** The same without waiting: for commands that talk to a server of the test's own. */
export function pithBeside(
  folders: Pick<ConfigFolders, 'workspace' | 'home' | 'env'>,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [MAIN, ...args],
      { cwd: folders.workspace, env: { PATH: process.env.PATH, HOME: folders.home, ...folders.env, ...env } },
      (_, stdout, stderr) => done({ stdout, stderr, code: child.exitCode }),
    )
  })
}
