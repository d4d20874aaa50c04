import { createRequire } from 'node:module'
import { programPath } from '../config/places/program-path.ts'
import { PithError } from '../model/problems/errors.ts'

/** The most memory that ripgrep may use, in kilobytes. Without threads it needs a small part of that. */
const MOST_KILOBYTES = 4_000_000

const COMMON = ['--no-config', '--color=never', '--no-ignore-messages', '--sort=path']

/**
 * How ripgrep is started. It reads every `.gitignore` and `.ignore` that it finds. A link to a device would fill the memory, so
 * the shell sets a limit if the system has one. Its messages about these files are off, because they would quote their lines.
 */
export function boundedRipgrep(args: readonly string[]): { file: string; args: readonly string[] } {
  const ripgrep = ripgrepPath()
  const all = [...COMMON, ...args]
  if (process.platform === 'win32') return { file: ripgrep, args: all }
  const script = `ulimit -v ${MOST_KILOBYTES} 2>/dev/null; exec "$0" "$@"`
  return { file: '/bin/sh', args: ['-c', script, ripgrep, ...all] }
}

/** The file of ripgrep: the one that was installed with Pith, or else `rg` on the PATH. */
export function ripgrepPath(path: string = process.env.PATH ?? '', own = installed): string {
  const found = own() ?? programPath('rg', path)
  if (found === undefined)
    throw new PithError('bad-argument', 'ripgrep is needed to search files: install it, so that `rg` is on the PATH')
  return found
}

/** The installed ripgrep. It is an optional dependency with one package for each system, so it may be missing. */
function installed(): string | undefined {
  const program = process.platform === 'win32' ? 'rg.exe' : 'rg'
  try {
    const names = createRequire(import.meta.url)
    return names.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`)
  } catch {
    return undefined
  }
}
