import ignore from 'ignore'

/** Whether a path (relative, with `/`) matches a glob: names at any depth without a slash in it, else from the start; `{a,b}` too. */
export function fileGlob(pattern: string): (path: string) => boolean {
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(bracesOf(pattern).map(literalStart))
  return (path) => rules.ignores(path.replaceAll('\\', '/'))
}

const MOST_ALTERNATIVES = 200

/** `*.{ts,tsx}` as `*.ts` and `*.tsx`; an open brace stands for itself. */
function bracesOf(pattern: string): string[] {
  let patterns = [pattern]
  while (patterns.length < MOST_ALTERNATIVES) {
    const next = patterns.flatMap(firstBrace)
    if (next.length === patterns.length) break
    patterns = next
  }
  return patterns
}

/** The innermost braces first, so that nested ones open one after the other. */
function firstBrace(pattern: string): string[] {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(pattern)
  if (match === null) return [pattern]
  const [all, inside = ''] = match
  const before = pattern.slice(0, match.index)
  const after = pattern.slice(match.index + all.length)
  return inside.split(',').map((choice) => `${before}${choice}${after}`)
}

/** In a `.gitignore` these first characters have a meaning of their own. */
function literalStart(pattern: string): string {
  const plain = pattern.replace(/^\.\//, '')
  return /^[!#]/.test(plain) ? `\\${plain}` : plain
}
