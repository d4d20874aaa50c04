import type { CommitFact, GitFact, IndexDelta, Seq } from '../../../model/types.ts'
import { parseArguments, type ShellCommand, type ShellStep, shellSteps, withoutWrappers } from '../shell/shell-steps.ts'

/** A command that ran: its text, its output, and whether it succeeded, if that is known. */
export type RunCommand = { readonly command: string; readonly output: string; readonly ok: boolean | undefined }

/** The effects of a command on the repository: commits, staged files, pushes, pull requests, stashes. */
export function gitFacts(run: RunCommand, seq: Seq, steps?: readonly ShellStep[]): Pick<IndexDelta, 'commits' | 'git'> {
  const { command, output } = run
  if (!/\b(?:git|gh|glab)\b/.test(command)) return {}
  const verbs = gitVerbs(steps ?? shellSteps(command))
  const git: GitFact[] = verbs.flatMap((verb) => verbFacts(verb, run, seq))
  const url = PULL_REQUEST.test(command) ? URL_IN.exec(output)?.[0] : undefined
  if (url !== undefined) git.push({ kind: 'opened', seq, url })
  if (CLEAN.test(output.slice(0, MOST_OUTPUT))) git.push({ kind: 'clean', seq })
  const commits = verbs.some(({ name }) => COMMITTING.has(name)) ? commitsIn(run) : []
  return {
    ...(commits.length === 0 ? {} : { commits: commits.map((commit): CommitFact => ({ seq, ...commit })) }),
    ...(git.length === 0 ? {} : { git }),
  }
}

const MOST_OUTPUT = 20_000
const PULL_REQUEST = /\b(?:gh|glab)\s+(?:pr|mr|issue|release)\s+create\b/
const URL_IN = /https:\/\/[^\s"'<>]{1,300}?\/(?:pull|merge_requests|issues|releases)\/[^\s"'<>]{1,200}/
const CLEAN = /\bnothing to commit, working (?:tree|directory) clean\b/
const COMMITTING: ReadonlySet<string> = new Set(['commit', 'revert', 'cherry-pick', 'merge', 'am'])

type GitVerb = { readonly name: string; readonly rest: ShellCommand['words'] }

/** `git -C folder add x` is the verb `add`. */
function gitVerbs(steps: readonly ShellStep[]): GitVerb[] {
  return steps.flatMap((step) => {
    const run = step.type === 'command' ? withoutWrappers(step.words) : undefined
    if (run?.name !== 'git') return []
    let at = 0
    for (; run.rest[at]?.text.startsWith('-'); at++) if (/^-[cC]$/.test(run.rest[at]?.text ?? '')) at++
    const name = run.rest[at]?.text
    return name === undefined ? [] : [{ name, rest: run.rest.slice(at + 1) }]
  })
}

function verbFacts({ name, rest }: GitVerb, { output, ok }: RunCommand, seq: Seq): GitFact[] {
  switch (name) {
    case 'add':
    case 'stage':
      return [{ kind: 'staged', seq, paths: stagedPaths(rest) }]
    case 'commit': {
      const { operands, options } = parseArguments(rest, COMMIT_OPTIONS)
      if (options.has('a') || options.has('all')) return [{ kind: 'staged', seq, paths: [] }]
      return operands.length === 0 ? [] : [{ kind: 'staged', seq, paths: operands.map(({ text }) => text) }]
    }
    case 'push':
      return ok === false || REFUSED.test(output) ? [] : [{ kind: 'pushed', seq, ...branchIn(output) }]
    case 'stash':
      return stashFacts(rest[0]?.text, seq)
    default:
      return []
  }
}

const COMMIT_OPTIONS = { short: 'mFCct', long: ['message', 'file', 'author', 'date', 'reuse-message', 'fixup'] }
const REFUSED = /^(?:error|fatal): |\[(?:remote )?rejected\]/m

/** The staged paths; empty if everything is staged. */
function stagedPaths(words: ShellCommand['words']): string[] {
  const { operands, options } = parseArguments(words, {})
  const isAll = ['A', 'all', 'u', 'update'].some((option) => options.has(option))
  if (isAll || operands.some(({ text, open }) => open || /^(?:\.|:\/|\*)$/.test(text))) return []
  return operands.map(({ text }) => text).slice(0, MOST_PATHS)
}

const MOST_PATHS = 200

/** `   1a2b3c4..5d6e7f8  main -> main`, ` * [new branch]      topic -> topic` */
function branchIn(output: string): { branch?: string } {
  const branch = /^ *(?:[*+!=-] )?\S.{0,100}? -> ([^\s]{1,200})(?: .{0,100})?$/m.exec(output)?.[1]
  return branch === undefined ? {} : { branch }
}

/** A dropped stash is gone, too: the user has its changes in another way, or does not want them. */
const BACK: ReadonlySet<string> = new Set(['pop', 'apply', 'branch', 'drop', 'clear'])

function stashFacts(action: string | undefined, seq: Seq): GitFact[] {
  if (action === undefined || action === 'push' || action === 'save' || action.startsWith('-'))
    return [{ kind: 'stashed', seq }]
  return BACK.has(action) ? [{ kind: 'unstashed', seq }] : []
}

/** The commits that a command made: those that git reports, or else one with the message in the command. */
function commitsIn({ command, output, ok }: RunCommand): Omit<CommitFact, 'seq'>[] {
  const amended = /\bcommit\b[^\n]{0,200}\s--amend\b/.test(command) ? { amended: true as const } : {}
  const reported = [...output.slice(0, COMMIT_OUTPUT).matchAll(REPORTED)].slice(0, MOST_COMMITS)
  if (reported.length > 0) {
    return reported.map(([, branch = '', hash = '', subject = '']) => ({
      hash,
      branch: branch === 'detached' ? 'HEAD' : branch,
      subject: subject.trim(),
      ...amended,
    }))
  }
  if (ok === false || NOT_MADE.test(output) || !/\bgit\b[^\n]{0,200}\bcommit\b/.test(command)) return []
  const subject = messageIn(command)
  if (subject === undefined) return []
  return [{ hash: loggedHash(output, subject), subject, ...amended }]
}

const COMMIT_OUTPUT = 40_000
const MOST_COMMITS = 20
/** `[main 1a2b3c4] Subject`, `[topic (root-commit) 1a2b3c4] Subject`, `[detached HEAD 1a2b3c4] Subject` */
const REPORTED = /^\s{0,8}\[([^\]\s]{1,100})(?: \([\w-]{1,20}\)| HEAD)? ([0-9a-f]{7,40})\] (.{1,300})$/gm
const NOT_MADE =
  /\bnothing to commit\b|\bno changes added to commit\b|^(?:error|fatal): |--dry-run|\bnothing added to commit\b|\bhook (?:failed|exited)|\bAborting commit\b/m

/** The first line of the message: `-m 'x'`, `-m "$(cat <<'EOF' …`, `-F - <<'EOF' …`. */
function messageIn(command: string): string | undefined {
  const at = command.search(/\bcommit\b/)
  const given = at === -1 ? '' : command.slice(at, at + 4_000)
  const [, line] =
    /(?:-[a-z]{0,3}m|--message)[ =]"?\$\(cat <<-?\s?['"\\]?\w+['"]?\s*\n\s*([^\n]{1,300})/.exec(given) ??
    /(?:-[a-z]{0,3}F|--file)[ =]?-\s[^\n]{0,200}?<<-?\s?['"\\]?\w+['"]?[^\n]*\n\s*([^\n]{1,300})/.exec(given) ??
    /(?:-[a-z]{0,3}m|--message)[ =]?"([^"\n]{1,300})/.exec(given) ??
    /(?:-[a-z]{0,3}m|--message)[ =]?'([^'\n]{1,300})/.exec(given) ??
    []
  return line?.trim() || undefined
}

/** `git log --oneline -1` in the same command shows the hash that `git commit -q` does not print. */
function loggedHash(output: string, subject: string): string | undefined {
  for (const [, hash, text = ''] of output
    .slice(-4_000)
    .matchAll(/^([0-9a-f]{7,40}) (?:\([^)\n]{1,200}\) )?(.{1,300})$/gm)) {
    if (text.startsWith(subject.slice(0, 60))) return hash
  }
  return undefined
}
