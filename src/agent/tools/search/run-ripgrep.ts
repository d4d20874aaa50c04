import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { boundedRipgrep } from '../../bounded-ripgrep.ts'
import { interruptionOf } from '../interruption.ts'

export type Search = {
  readonly args: readonly string[]
  readonly folder: string
  readonly signal: AbortSignal
  /** Gets each line. Returning false ends the search. */
  readonly onLine: (line: string) => boolean
}

/** How a search ended. `errors`: ripgrep's error messages, a line each; `signal`: the signal that may have aborted it. */
export type SearchEnd = {
  readonly end: 'all' | 'enough' | 'timed-out' | 'aborted'
  readonly errors: readonly string[]
  readonly signal: AbortSignal
}

const OUT_OF_MEMORY = 'ripgrep needs too much memory: an ignore file may be a link to a device or very large'
const TIMEOUT_MS = 60_000
const COMMON = ['--hidden', '--glob=!.git', '--no-require-git']

/** Runs ripgrep over a folder: `.gitignore` honoured, hidden files included, always in the same order. */
export async function runRipgrep({ args, folder, signal, onLine }: Search): Promise<SearchEnd> {
  const command = boundedRipgrep([...COMMON, ...args])
  const child = spawn(command.file, command.args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < 10_000) errors += text
  })
  let enough = false
  let begun = ''
  // Not with `readline`: it also ends a line at a carriage return and at U+2028, which a matching line may contain.
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (begun + text).split('\n')
    begun = lines.pop() ?? ''
    if (enough || lines.every((line) => onLine(line))) return
    enough = true
    child.kill()
  })
  const interruption = interruptionOf({ timeoutMs: TIMEOUT_MS, signal })
  try {
    const end = await Promise.race([once(child, 'close').then(() => undefined), interruption.happened])
    if (end !== undefined) child.kill('SIGKILL')
    // It aborts when it asks for more memory than the limit.
    if (child.signalCode === 'SIGABRT') errors = OUT_OF_MEMORY
    const complaints = errors.split('\n').filter((line) => line.trim() !== '')
    return { end: end ?? (enough ? 'enough' : 'all'), errors: complaints, signal }
  } finally {
    interruption.forget()
  }
}
