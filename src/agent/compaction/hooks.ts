import { spawn } from 'node:child_process'
import { enterablePath } from '../../config/places/program-path.ts'
import type { Hook } from '../../config/tables/settings.ts'
import { oneLine } from '../../model/text/one-line.ts'
import { MARK, newMark, OwnedProcess } from '../processes/owned-process.ts'

export type HookRun = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
}

/** What a hook came to: what it printed, the exit code by which it says no, or why it did not run to its end. */
export type HookResult =
  | { readonly kind: 'ok'; readonly text: string }
  | { readonly kind: 'no' | 'broken'; readonly reason: string }

const TIMEOUT_MS = 10_000
/** A hook adds a sentence or two, not a file. */
const MOST_CHARACTERS = 4_000

/** Runs a hook with what it is about as JSON on its standard input. A hook that hangs is stopped. */
export function runHook({ command, timeoutMs = TIMEOUT_MS }: Hook, about: unknown, run: HookRun): Promise<HookResult> {
  return new Promise((resolve) => {
    const mark = newMark()
    const child = spawn(command, {
      shell: true,
      cwd: run.cwd,
      env: { ...environmentOf(run), [MARK]: mark },
      detached: process.platform !== 'win32',
    })
    const owned = child.pid === undefined ? undefined : new OwnedProcess(child.pid, mark)
    let out = ''
    let err = ''
    const timer = setTimeout(
      () => end({ kind: 'broken', reason: `it took longer than ${timeoutMs} ms` }, true),
      timeoutMs,
    )
    const abort = () => end({ kind: 'broken', reason: 'it was cancelled' }, true)
    run.signal?.addEventListener('abort', abort, { once: true })
    // The first end counts: a promise is settled once, and the timer and the signal are let go with it.
    const end = (result: HookResult, killed = false) => {
      clearTimeout(timer)
      run.signal?.removeEventListener('abort', abort)
      if (killed) void owned?.end()
      resolve(result)
    }
    child.stdout.on('data', (data: Buffer) => {
      out = (out + data.toString()).slice(0, MOST_CHARACTERS)
    })
    child.stderr.on('data', (data: Buffer) => {
      err = (err + data.toString()).slice(0, MOST_CHARACTERS)
    })
    child.on('error', (error) => end({ kind: 'broken', reason: error.message }))
    child.on('exit', () => owned?.exited())
    child.on('close', (code, signal) => end(resultOf(code, signal, out, err)))
    // A hook that does not read its input has closed it by the time that we write.
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify(about))
  })
}

function environmentOf({ cwd, env }: HookRun): NodeJS.ProcessEnv {
  return { ...env, ...(env.PATH !== undefined && { PATH: enterablePath(env.PATH, cwd) }) }
}

/** What shells say of a command that they cannot find or start. */
const NOT_STARTED: readonly (number | null)[] = [126, 127]

function resultOf(code: number | null, signal: NodeJS.Signals | null, out: string, err: string): HookResult {
  if (code === 0) return { kind: 'ok', text: out.trim() }
  const reason = oneLine(err.trim() || out.trim(), 200) || `it ended with ${signal ?? `exit code ${code}`}`
  return { kind: code === null || NOT_STARTED.includes(code) ? 'broken' : 'no', reason }
}
