/** The rest of a pattern after some names of a path, as names with `*`, or `**` for any number of folders. */
export type PatternRest = readonly string[]

/** The names of a pattern. An absolute one begins with an empty name. */
export function patternNames(pattern: string): PatternRest {
  const plain = pattern.replace(/^\.\//, '').replace(/(.)\/+$/, '$1')
  return plain === '.' ? [] : plain.split('/')
}

/** All rests of a pattern after one more name of a path; none if the path cannot match any more. */
export function afterName(rest: PatternRest, name: string): PatternRest[] {
  const [head, ...tail] = rest
  if (head === undefined) return []
  if (head === '**') return [rest, ...afterName(tail, name)]
  return matchesName(head, name) ? [tail] : []
}

/** True when a path with this rest matches the pattern. Then everything below it counts as matched too. */
export function isMatched(rest: PatternRest): boolean {
  return rest.every((name) => name === '**')
}

/** Whether a path matches a pattern: `*` within a name, `**` over any number of folders. */
export function matchesPath(pattern: string, path: string): boolean {
  let rests = [patternNames(pattern)]
  for (const name of patternNames(path)) rests = distinct(rests.flatMap((rest) => afterName(rest, name)))
  return rests.some(isMatched)
}

/** The rests without repetitions: a pattern with many `**` would double them with each name. All are ends of one pattern. */
export function distinct(rests: readonly PatternRest[]): PatternRest[] {
  return [...new Map(rests.map((rest) => [rest.length, rest])).values()]
}

/** Whether a name matches a pattern in which `*` means any characters. It takes linear time for each `*`. */
function matchesName(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
