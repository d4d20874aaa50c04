import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

export type TestRequest = {
  readonly tests: readonly string[]
  /** The file that differs from the tree. */
  readonly changed?: string
  /** True when the tests run the built program. */
  readonly rebuild: boolean
}

export type TestResult = {
  readonly ran: readonly { readonly test: string; readonly ms: number; readonly passed: boolean }[]
  /** The first test that failed. */
  readonly killedBy?: string
}

export type TestProcess = {
  /** Runs tests until one fails; after `timeoutMs` the process is ended and the next run starts a new one. */
  run(request: TestRequest, timeoutMs: number): Promise<TestResult | 'timeout'>
  stop(): Promise<void>
}

const STARTUP_MS = 60_000
const GOODBYE_MS = 300

/** A warm Vitest in a process of its own, for the tests of the tree in `folder`. */
export function testProcess(folder: string): TestProcess {
  let child: ChildProcess | undefined

  async function start(): Promise<ChildProcess> {
    // A process group of its own: a mutant that hangs is ended together with all that its tests started.
    const started = fork(join(import.meta.dirname, 'test-worker.ts'), {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child = started
    const ready = await answer(started, STARTUP_MS)
    if (ready !== 'ready') throw new Error('Vitest did not start')
    return started
  }

  async function stop(): Promise<void> {
    const ending = child
    child = undefined
    if (ending !== undefined) await endGroup(ending)
  }

  return {
    stop,
    async run(request, timeoutMs) {
      const worker = child ?? (await start())
      const answered = answer(worker, timeoutMs)
      worker.send(request)
      const result = await answered
      if (result === 'timeout' || result === 'exit') await stop()
      return result === 'exit'
        ? { ran: [], killedBy: 'the end of the test process' }
        : (result as TestResult | 'timeout')
    },
  }
}

function answer(child: ChildProcess, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = globalThis.setTimeout(() => settle('timeout'), timeoutMs)
    const onExit = () => settle('exit')
    const settle = (value: unknown) => {
      clearTimeout(timer)
      child.off('message', settle).off('exit', onExit)
      resolve(value)
    }
    child.once('message', settle).once('exit', onExit)
  })
}

/** Asks first, so that a database of the tests can close, and then ends what is left. */
async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal)
    } catch {
      return
    }
    await setTimeout(GOODBYE_MS)
  }
}
