import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { boundedRipgrep } from '../../bounded-ripgrep.ts'
import { abortCause, interruptionOf } from '../../interruption.ts'
import { ifMissing, type ToolContext } from '../../tool.ts'
import type { FilePlace } from '../../workspace.ts'
import { allowedPlace } from '../files/target.ts'

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

/** Notes about a search that did not search everything. */
export function searchNotes({ end, errors, signal }: SearchEnd, enough: string): string[] {
  const notes: string[] = []
  if (end === 'enough') notes.push(enough)
  if (end === 'timed-out') notes.push('Timed out: not everything was searched; name a smaller folder.')
  if (end === 'aborted') notes.push(`Aborted ${abortCause(signal)}: not everything was searched.`)
  const [first] = errors
  if (first !== undefined) {
    const more = errors.length > 1 ? ` and ${errors.length - 1} more` : ''
    notes.push(`Could not be searched: ${first.replace(/^rg: /, '')}${more}.`)
  }
  return notes
}

/** The start of a search: the folder to run in, the path to search in it, and how to show found paths. */
export type SearchPlace = {
  readonly place: FilePlace
  readonly exists: boolean
  readonly isFolder: boolean
  readonly folder: string
  readonly start: string
  readonly shown: (path: string) => string
}

/** The place of a search with links resolved; the workspace if no path is given. */
export async function searchPlace(path: string | undefined, context: ToolContext): Promise<SearchPlace> {
  const place = await allowedPlace('read', path ?? '.', context)
  const found = await stat(place.real).catch(ifMissing)
  const isFolder = found?.isDirectory() ?? false
  return {
    place,
    exists: found !== undefined,
    isFolder,
    folder: isFolder ? place.real : dirname(place.real),
    start: isFolder ? './' : `./${basename(place.real)}`,
    shown: (path) => (isFolder ? joined(place.shown, path.replace(/^\.[/\\]/, '')) : place.shown),
  }
}

function joined(folder: string, path: string): string {
  const slashed = path.replaceAll('\\', process.platform === 'win32' ? '/' : '\\')
  return folder === '.' ? slashed : `${folder.replace(/\/$/, '')}/${slashed}`
}
