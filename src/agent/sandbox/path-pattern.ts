/** A pattern of paths, name by name: `*` within a name, `**` for any number of folders. */
export type PathPattern = {
  readonly names: readonly NamePattern[]
  /** True for a pattern that begins with `/` or, on Windows, with a drive or a server. */
  readonly isAbsolute: boolean
  /** A path matches once it has reached this position: only `**` follows. */
  readonly end: number
}
type NamePattern = {
  readonly text: string
  readonly isAny: boolean
  readonly isLiteral: boolean
  readonly parts: readonly string[]
}

export function pathPattern(text: string): PathPattern {
  const plain = fromRoot(text)
    .replace(/^\.\//, '')
    .replace(/(.)\/+$/, '$1')
  const isAbsolute = plain.startsWith('/')
  const path = isAbsolute ? plain.slice(1) : plain
  const names = path === '.' || path === '' ? [] : path.split('/').map(namePattern)
  return { names, isAbsolute, end: names.findLastIndex(({ isAny }) => !isAny) + 1 }
}

/** A path of Windows from its drive or server, as one from the root: `/c:/users/ada`. Case does not distinguish names there. */
function fromRoot(path: string): string {
  if (!/^(?:[A-Za-z]:[\\/]|\\\\\w)/.test(path)) return path
  return `/${path.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()}`
}

function namePattern(text: string): NamePattern {
  return { text, isAny: text === '**', isLiteral: !text.includes('*'), parts: text.split('*') }
}

/** The positions in a pattern after one more name of a path, from those before it; none if the path cannot match any more. */
export function afterName({ names }: PathPattern, positions: readonly number[], name: string): number[] {
  const next: number[] = []
  for (const position of positions)
    for (let at = position; at < names.length; at++) {
      const part = names[at] as NamePattern
      // `**` takes the name and stays, or takes no name: then the next part decides.
      const reached = part.isAny ? at : matchesName(part, name) ? at + 1 : -1
      if (reached !== -1 && !next.includes(reached)) next.push(reached)
      if (!part.isAny) break
    }
  return next
}

/** True when a path at these positions matches the pattern. */
export function isMatched({ end }: PathPattern, positions: readonly number[]): boolean {
  return positions.some((position) => position >= end)
}

/** Whether a path matches a pattern. An absolute pattern matches only absolute paths. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  const { names, isAbsolute } = pathPattern(path)
  if (isAbsolute !== pattern.isAbsolute && !(isAbsolute && pattern.names[0]?.isAny)) return false
  let positions: number[] = [0]
  for (const { text } of names) positions = afterName(pattern, positions, text)
  return isMatched(pattern, positions)
}

/**
 * Whether a never rule with this pattern forbids a path of the workspace or an absolute one: the path or a folder above it
 * matches, as in the sandbox, which hides a folder with everything in it.
 */
export function coversPath(pattern: PathPattern, path: string, workspace: string): boolean {
  const inside = pattern.isAbsolute && !pathPattern(path).isAbsolute
  const { names, isAbsolute } = pathPattern(inside ? `${workspace}/${path}` : path)
  if (isAbsolute !== pattern.isAbsolute && !pattern.names[0]?.isAny) return false
  let positions: number[] = [0]
  for (const { text } of names) {
    if (isMatched(pattern, positions)) return true
    positions = afterName(pattern, positions, text)
  }
  return isMatched(pattern, positions)
}

/** Whether a name matches. Each `*` takes linear time. */
export function matchesName({ text, isLiteral, parts }: NamePattern, name: string): boolean {
  if (isLiteral) return text === name
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (!name.startsWith(first)) return false
  let at = first.length
  for (let i = 1; i < parts.length - 1; i++) {
    const part = parts[i] ?? ''
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
