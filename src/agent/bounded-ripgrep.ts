import { createRequire } from 'node:module'
import { programPath } from '../config/places/program-path.ts'
import { PithError } from '../model/problems/errors.ts'

/** The most memory that ripgrep may ask for, in kilobytes. Without threads it needs a small part of that. */
const MOST_KILOBYTES = 4_000_000

const COMMON = ['--no-config', '--color=never', '--no-ignore-messages', '--sort=path']

/**
 * How ripgrep is started. It reads every `.gitignore` and `.ignore` it meets, whatever they are: a link to a device would
 * fill the memory, so the shell sets a limit where the system has one. Its complaints about them would quote their lines.
 */
export function boundedRipgrep(args: readonly string[]): { file: string; args: readonly string[] } {
  const ripgrep = ripgrepPath()
  const all = [...COMMON, ...args]
  if (process.platform === 'win32') return { file: ripgrep, args: all }
  const script = `ulimit -v ${MOST_KILOBYTES} 2>/dev/null; exec "$0" "$@"`
  return { file: '/bin/sh', args: ['-c', script, ripgrep, ...all] }
}

/** The file of ripgrep: the one that came with Pith for this system, else `rg` on the PATH. */
export function ripgrepPath(path: string = process.env.PATH ?? '', own = installed): string {
  const found = own() ?? programPath('rg', path)
  if (found === undefined)
    throw new PithError('bad-argument', 'ripgrep is needed to search files: install it, so that `rg` is on the PATH')
  return found
}

/** It is an optional dependency: there is one package for each system, and somebody may have left them all out. */
function installed(): string | undefined {
  const program = process.platform === 'win32' ? 'rg.exe' : 'rg'
  try {
    const names = createRequire(import.meta.url)
    return names.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`)
  } catch {
    return undefined
  }
}
