import { isAbsolute, relative, sep } from 'node:path'

/**
 * The file of ours that a command line begins with, after Node's flags; undefined for the words of a user. Pith and its hooks
 * start parts of the package as `node FILE`, and in the single executable the program itself takes the place of `node`.
 */
export function ownProgram(
  words: readonly string[],
  programs: string,
): { readonly flags: readonly string[]; readonly file: string; readonly args: readonly string[] } | undefined {
  const at = words.findIndex((word) => !word.startsWith('--'))
  const file = words[at]
  if (file === undefined || !isAbsolute(file)) return undefined
  const inside = relative(programs, file)
  if (inside === '' || inside.split(sep)[0] === '..' || isAbsolute(inside)) return undefined
  return { flags: words.slice(0, at), file, args: words.slice(at + 1) }
}
