import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PithError } from '../../../model/errors.ts'
import { interruptionOf } from '../interruption.ts'

export type Search = {
  readonly args: readonly string[]
  readonly folder: string
  readonly signal: AbortSignal
  /** Told of each line; false wants no more of them. */
  readonly onLine: (line: string) => boolean
}

/** How a search ended. `errors`: what ripgrep complained about, a line each. */
export type Searched = { readonly end: 'all' | 'enough' | 'timed-out' | 'aborted'; readonly errors: readonly string[] }

const TIMEOUT_MS = 60_000
const COMMON = ['--no-config', '--color=never', '--hidden', '--glob=!.git', '--no-require-git', '--sort=path']

/** Runs ripgrep over a folder: `.gitignore` honoured, hidden files included, always in the same order. */
export async function runRipgrep({ args, folder, signal, onLine }: Search): Promise<Searched> {
  // Only here: where its binary is missing, the other tools work all the same.
  const { rgPath } = await import('@vscode/ripgrep').catch((error: unknown) => {
    throw new PithError('bad-argument', 'ripgrep is not installed for this platform: install Pith again', {
      cause: error,
    })
  })
  const child = spawn(rgPath, [...COMMON, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < 10_000) errors += text
  })
  let enough = false
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (enough || onLine(line)) return
    enough = true
    child.kill()
  })
  const interruption = interruptionOf({ timeoutMs: TIMEOUT_MS, signal })
  try {
    const end = await Promise.race([once(child, 'close').then(() => undefined), interruption.happened])
    if (end !== undefined) child.kill('SIGKILL')
    return { end: end ?? (enough ? 'enough' : 'all'), errors: errors.split('\n').filter((line) => line.trim() !== '') }
  } finally {
    interruption.forget()
  }
}
