import { createRequire } from 'node:module'
import { programPath } from '../config/places/program-path.ts'
import { PithError } from '../model/problems/errors.ts'

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
