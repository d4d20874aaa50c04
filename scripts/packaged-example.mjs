import { posix } from 'node:path'

/** An example as it is in the package: it imports Pith by its name, and its shell runs the installed program. */
export function packagedExample(text, { exports }) {
  const names = new Map(
    Object.entries(exports).flatMap(([path, target]) =>
      typeof target === 'string'
        ? []
        : [[target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts'), posix.join('pith', path)]],
    ),
  )
  return text
    .replaceAll(/'(?:\.\.\/)+(src\/[^']+)'/g, (whole, file) => (names.has(file) ? `'${names.get(file)}'` : whole))
    .replaceAll(/\n?[ \t]*\/\/ in your program: from '[^']*'/g, '')
    .replace(/^pith=\(.*\) # in your shell: .*$/m, 'pith=("$(npm root)/.bin/pith")')
}
