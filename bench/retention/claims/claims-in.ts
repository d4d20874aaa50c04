/** A statement of a record that the log must back. */
export type Claim = {
  readonly kind:
    | 'uncommitted'
    | 'committed'
    | 'stashed'
    | 'commit hash'
    | 'reverted'
    | 'resolved'
    | 'check on a file'
    | 'not checked since'
    | 'renamed'
    | 'passed later'
    | 'a check ran'
    | 'a check passed or failed'
  /** The line of the record. */
  readonly line: string
  readonly path?: string
  readonly hash?: string
  /** Without a command, which the shortest lines leave out. */
  readonly check?: { readonly command?: string; readonly kind?: string; readonly outcome: string }
  readonly side?: string
  readonly names?: { readonly from: string; readonly to: string }
  readonly commands?: { readonly failed: string; readonly passed: string }
}

const SECTION = /^## (?:What has changed)/
const CHECKS = /^### Checks/
const FAILED = /^### Failed here/

/** The claims of a record, read from its text. */
export function claimsIn(record: string): Claim[] {
  let place = ''
  const claims: Claim[] = []
  let root = ''
  for (const line of record.split('\n')) {
    if (line.startsWith('#') && /^##/.test(line)) place = line
    root = /^Paths are from (.+?)\/?$/.exec(line)?.[1] ?? root
    if (!line.startsWith('- ')) continue
    claims.push(...commitClaims(line))
    if (SECTION.test(place)) claims.push(...fileClaims(line, root))
    if (CHECKS.test(place)) claims.push(...ranClaims(line))
    if (FAILED.test(place)) claims.push(...laterClaims(line))
  }
  return claims
}

/** `- committed 1a2b3c4 on main: Fix the port (#40)` */
function commitClaims(line: string): Claim[] {
  const hash = /^- (?:committed|amended) ([0-9a-f]{7,40})(?: on \S+)?: /.exec(line)?.[1]
  return hash === undefined ? [] : [{ kind: 'commit hash', line, hash }]
}

/** `- src/a.ts: edited 2×, committed 1a2b3c4, `npm test` passed: 12 passed (#40) (#38): changed f; renamed a → b` */
function fileClaims(line: string, root: string): Claim[] {
  const match = /^- `?(.+?)`?: (.+)$/.exec(line)
  const [, name = '', rest = ''] = match ?? []
  if (match === null || /^(?:committed|amended|pushed|opened)\b/.test(name)) return []
  const path = name.startsWith('/') || root === '' ? name : `${root}/${name}`
  const [head = ''] = /^.*?\(#\d+\)(?=:|$)/.exec(rest) ?? [rest]
  const symbols = rest.slice(head.length)
  const claims: Claim[] = []
  const committed = /\bcommitted(?: ([0-9a-f]{7,40}))?\b/.exec(head.replace('uncommitted', ''))
  if (/\buncommitted\b/.test(head)) claims.push({ kind: 'uncommitted', line, path })
  if (/(?:^|, )stashed\b/.test(head)) claims.push({ kind: 'stashed', line, path })
  if (committed !== null)
    claims.push({ kind: 'committed', line, path, ...(committed[1] === undefined ? {} : { hash: committed[1] }) })
  if (/^reverted\b/.test(head)) claims.push({ kind: 'reverted', line, path })
  const side = /^resolved with (ours|theirs)/.exec(head)?.[1]
  if (side !== undefined) claims.push({ kind: 'resolved', line, path, side })
  if (/not checked since/.test(head)) claims.push({ kind: 'not checked since', line, path })
  const check = /`(.+?)` (passed|FAILED|ran)\b[^`]*?\(#(\d+)\)/.exec(head)
  if (check !== null) {
    const [, command = '', outcome = ''] = check
    claims.push({ kind: 'check on a file', line, path, check: { command, outcome } })
  } else {
    const [, kind, outcome] = /, (tests|build|type check|linter) (passed|FAILED)\b/.exec(head) ?? []
    if (kind !== undefined && outcome !== undefined)
      claims.push({ kind: 'check on a file', line, path, check: { kind, outcome } })
  }
  const renamed = /\brenamed ([^;]+)/.exec(symbols)?.[1] ?? ''
  for (const [, from = '', to = ''] of renamed.matchAll(/(?:^|, )([^,→]+?) → ([^,→]+?)(?=,|$)/g))
    claims.push({ kind: 'renamed', line, path, names: { from: from.trim(), to: to.trim() } })
  return claims
}

function ranClaims(line: string): Claim[] {
  const [, kind, command, outcome] =
    /^- (tests|build|type check|linter) `(.+)` (ran|passed|FAILED)(?:: [^(]*)? \(#\d+\)/.exec(line) ?? []
  if (command === undefined || outcome === undefined) return []
  const check = { command, kind, outcome }
  return [{ kind: outcome === 'ran' ? 'a check ran' : 'a check passed or failed', line, check }]
}

function laterClaims(line: string): Claim[] {
  const match = /^- #\d+ `(.+?)`: .* → `(.+?)` passed \(#\d+\)/.exec(line)
  return match === null
    ? []
    : [{ kind: 'passed later', line, commands: { failed: match[1] ?? '', passed: match[2] ?? '' } }]
}
