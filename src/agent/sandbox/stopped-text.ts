import { matchesName, pathPattern } from './path-pattern.ts'
import { forbidsNetwork } from './rule-paths.ts'
import type { NeverRule, Sandbox } from './sandbox.ts'

type EndedCommand = {
  readonly output: string
  readonly exit: number
  /** The rules that the sandbox kept. */
  readonly never: readonly NeverRule[]
}

/** A line for the model if the sandbox may have stopped a command; undefined if it did not. */
export function stoppedText({ hasNetwork }: Sandbox, { output, exit, never }: EndedCommand): string | undefined {
  const tail = output.slice(-LOOKED_AT)
  const rule = keptRule(tail, never)
  if (rule?.kind === 'read')
    return `(${STOPPED} reading this: the user forbids it (never read: ${rule.pattern}). ${NO_WAY})`
  if (rule !== undefined) return `(${STOPPED} writing to ${rule.pattern}. ${ASK_OUTSIDE})`
  // Also check successful commands: in `make install; ls`, only the last command sets the exit code.
  if (exit === 0 && !ERROR_LINE.test(tail)) return undefined
  if (WRITE_STOPPED.test(tail)) return `(${STOPPED} writing outside of the workspace. ${ASK_OUTSIDE})`
  const isOffline = !hasNetwork || forbidsNetwork(never)
  if (isOffline && NETWORK_STOPPED.test(tail)) return `(${STOPPED} the network. ${ASK_OUTSIDE})`
  return undefined
}

/** The secrets that the sandbox hides and that the output of a command names. */
export function secretsNamed({ secrets }: Sandbox, output: string): string[] {
  const tail = output.slice(-LOOKED_AT)
  return secrets().flatMap(({ names, shown }) => (names.some((name) => tail.includes(name)) ? [shown] : []))
}

/** A line for the model if a command failed and named secrets. `reason`: why it did not run outside. */
export function hiddenText(secrets: readonly string[], reason = `${ASK_OUTSIDE}.`): string {
  return `(the sandbox of commands hides ${secrets.join(', ')}. ${reason} The user can open it for good: sandbox_open in the configuration)`
}

const LOOKED_AT = 20_000
const STOPPED = 'the sandbox of commands does not allow'
const ASK_OUTSIDE = 'If it has to be, call bash with outsideSandbox: true: the user is asked'
const NO_WAY = 'Do not try it another way'
const WRITE_STOPPED = /read-only file ?system|EROFS|operation not permitted/i
const ERROR_LINE = /^\S.*: read-only file system$/im
const NETWORK_STOPPED =
  /could not resolve|name resolution|network is unreachable|ENETUNREACH|EAI_AGAIN|ENOTFOUND|no route to host|name or service not known/i
/** The errors of a path that the sandbox has mounted: unreadable, read-only, or not to be moved. */
const READ_REFUSED = /permission denied|EACCES|errno 13|device or resource busy|EBUSY|can only add regular files/i
const EDIT_REFUSED = /read-only file ?system|EROFS|errno 30|device or resource busy|EBUSY/i

/** The rule about a path that an error names. */
function keptRule(tail: string, never: readonly NeverRule[]): NeverRule | undefined {
  const lines = tail.split('\n').filter((line) => READ_REFUSED.test(line) || EDIT_REFUSED.test(line))
  const words = lines.map((line) => ({ line, names: line.split(/[\s'"`:,()[\]]+/).map((word) => word.split('/')) }))
  const isAbout = ({ kind, pattern }: NeverRule) =>
    words.some(({ line, names }) => {
      const refused = kind === 'read' ? READ_REFUSED : EDIT_REFUSED
      return refused.test(line) && names.some((path) => endsLike(pattern, path))
    })
  return never.find((rule) => (rule.kind === 'read' || rule.kind === 'edit') && isAbout(rule))
}

/** True when a path has a name like the last one of a pattern, or is its hidden folder. Errors name paths from any folder. */
function endsLike(pattern: string, path: readonly string[]): boolean {
  const names = pathPattern(pattern).names.filter(({ text }) => !/^\*+$/.test(text))
  const telling = names.filter(({ text }, i) => i === names.length - 1 || text.startsWith('.'))
  return path.some((name) => name !== '' && telling.some((each) => matchesName(each, name)))
}
