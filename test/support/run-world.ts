import { type ChildProcess, spawn } from 'node:child_process'
import { inject, onTestFinished } from 'vitest'
import { type Ended, pith } from './cli.ts'
import { type ConfigFolders, configFolders } from './config-folders.ts'
import { type ModelServer, type ModelServerOptions, startModelServer } from './model-server/index.ts'

const MAIN = inject('program')

/** A user with a configured model server, who types commands. */
export type RunWorld = ConfigFolders & {
  readonly server: ModelServer
  readonly start: (args: readonly string[], options?: StartOptions) => Running
  /** Runs a command in a process of its own. */
  readonly pith: (...args: readonly string[]) => Promise<Ended>
  /** Runs a command in this process, which takes a fraction of the time, if the test is not about processes. */
  readonly here: (...args: readonly string[]) => Promise<Ended>
}

export type StartOptions = {
  /** Null leaves standard input open, and nothing comes. */
  readonly input?: string | null
  readonly env?: NodeJS.ProcessEnv
  /** Standard output and error go to one place, as in a terminal. */
  readonly together?: boolean
}

/** A command that runs. */
export type Running = {
  readonly child: ChildProcess
  /** Resolves when it has printed this, on standard output or error. */
  readonly printed: (text: string) => Promise<void>
  readonly ended: Promise<Ended & { readonly signal: NodeJS.Signals | null }>
}

export async function runWorld(options: ModelServerOptions & { readonly config?: string }): Promise<RunWorld> {
  const server = await startModelServer(options)
  onTestFinished(server.close)
  const folders = configFolders()
  const { window = 200_000 } = options
  folders.user(`
model: local/main
# Whether this machine has a sandbox is not what these tests are about, and some kill the parent of a command.
sandbox: off
providers: { local: { kind: anthropic, base_url: '${server.baseUrl('anthropic')}', api_key: test-key } }
models:
  - { provider: local, model: main, context_window: ${window}, max_output: 8000, tier: strong, price: { input: 3, output: 15 } }
  - { provider: local, model: small, context_window: 16000, max_output: 4000, price: { input: 1, output: 5 } }
${options.config ?? ''}`)
  const start = (args: readonly string[], { input = '', env = {}, together = false }: StartOptions = {}): Running => {
    const command = [process.execPath, MAIN, ...args]
    const [file = '', ...rest] = together ? ['sh', '-c', 'exec "$0" "$@" 2>&1', ...command] : command
    const child = spawn(file, rest, {
      cwd: folders.workspace,
      env: { PATH: process.env.PATH, HOME: folders.home, ...folders.env, ...env },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stdin.on('error', () => {})
    if (input !== null) child.stdin.end(input)
    return watched(child)
  }
  return { ...folders, server, start, pith: (...args) => start(args).ended, here: (...args) => pith(folders, args) }
}

function watched(child: ChildProcess): Running {
  const out = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      out[name] += text
      for (const look of waiting) look()
    })
  }
  const ended = new Promise<Ended & { signal: NodeJS.Signals | null }>((done) => {
    child.on('close', (code, signal) => done({ ...out, code, signal }))
  })
  const printed = (text: string) =>
    new Promise<void>((done) => {
      const look = () => {
        if (out.stdout.includes(text) || out.stderr.includes(text)) done()
      }
      waiting.add(look)
      look()
    })
  return { child, printed, ended }
}
