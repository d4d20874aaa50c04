import { matchesSequence, matchesWildcard } from './wildcard.ts'

/** Whether a path matches a pattern: `*` within a name, `**` over any number of folders. A folder's pattern does not reach below it. */
export function matchesPath(pattern: string, path: string): boolean {
  return matchesSequence(segments(pattern), segments(path), {
    isAny: (segment) => segment === '**',
    isSame: matchesWildcard,
  })
}

function segments(path: string): string[] {
  const plain = path.replace(/^\.\//, '').replace(/(.)\/+$/, '$1')
  return plain === '.' ? [] : plain.split('/')
}
