import type { CommitFact, GitFact, IndexDelta, Seq } from '../../../model/types.ts'
import { isAbsolute, joinPath } from '../calls/paths.ts'
import { gitVerb, programRuns } from '../shell/shell-files.ts'
import type { Word } from '../shell/shell-lexer.ts'
import { parseArguments, type ShellStep, shellSteps } from '../shell/shell-steps.ts'
import { ignoredIn, listedFiles, loggedCommits, reportedFiles, statusOutput } from './git-output.ts'

/** A command that ran: its text, its output, and whether it succeeded, if that is known. */
export type RunCommand = {
  readonly command: string
  readonly output: string
  readonly ok: boolean | undefined
  /** The folder that it ran in, if the call says so. */
  readonly folder?: string | undefined
}

/** The effects of a command on the repository, and what it shows of its state. */
export function gitFacts(run: RunCommand, seq: Seq, steps?: readonly ShellStep[]): Pick<IndexDelta, 'commits' | 'git'> {
  const { command, output } = run
  if (!/\b(?:git|gh|glab)\b/.test(command)) return {}
  const calls = gitCalls(steps ?? shellSteps(command), run.folder)
  let after = 0
  const git: GitFact[] = calls.flatMap((call) => {
    const facts = callFacts(call, run, seq, calls.length === 1)
    const placed = after === 0 ? facts : facts.map((fact) => (PLACED.has(fact.kind) ? { ...fact, after } : fact))
    if (call.verb === 'commit') after++
    return placed
  })
  const url = PULL_REQUEST.test(command) ? URL_IN.exec(output)?.[0] : undefined
  if (url !== undefined) git.push({ kind: 'opened', seq, url })
  const committing = calls.find(({ verb }) => COMMITTING.has(verb))
  const commits = committing === undefined ? [] : commitsIn(run)
  const at = placeOf(committing?.folder)
  return {
    ...(commits.length === 0 ? {} : { commits: commits.map((commit): CommitFact => ({ seq, ...commit, ...at })) }),
    ...(git.length === 0 ? {} : { git }),
  }
}

/** The effect of these depends on the commits before them. */
const PLACED: ReadonlySet<GitFact['kind']> = new Set(['staged', 'rewritten', 'took', 'stashed', 'unstashed'])

const PULL_REQUEST = /\b(?:gh|glab)\s+(?:pr|mr|issue|release)\s+create\b/
const URL_IN = /https:\/\/[^\s"'<>]{1,300}?\/(?:pull|merge_requests|issues|releases)\/[^\s"'<>]{1,200}/
const COMMITTING: ReadonlySet<string> = new Set(['commit', 'revert', 'cherry-pick', 'merge', 'am'])

/** A call of git: its verb, its arguments and its folder; undefined if the command line does not show the folder. */
type GitCall = ReturnType<typeof gitVerb>

/** `cd web && git -C ../api add x` is the verb `add` in the folder `api`. */
function gitCalls(steps: readonly ShellStep[], start = ''): GitCall[] {
  const calls = [...programRuns(steps, start)].filter(({ name }) => name === 'git')
  return calls.map(({ rest, folder }) => gitVerb(rest, folder))
}

/** Only an absolute folder says which repository it is. */
function placeOf(folder: string | undefined): { folder?: string } {
  return folder !== undefined && isAbsolute(folder) ? { folder } : {}
}

function callFacts(call: GitCall, run: RunCommand, seq: Seq, isOnly: boolean): GitFact[] {
  const { command, output, ok } = run
  const { verb, rest, folder } = call
  const at = { seq, ...placeOf(folder) }
  const inFolder = (paths: readonly string[]) => paths.map((path) => joinPath(folder ?? '', path.replace(/^:\//, '')))
  const listed = (kind: 'status' | 'shown' | 'ignored', paths: readonly string[]): GitFact[] =>
    paths.length === 0 ? [] : [{ kind, ...at, paths: inFolder(paths) }]
  const { operands, options } = parseArguments(rest, OPTIONS)
  const words = operands.map(({ text }) => text)
  switch (verb) {
    case 'status': {
      const list = isFiltered(command) && !isOnly ? undefined : statusOutput(output)
      if (list === undefined) return [{ kind: 'logged', ...at, commits: [] }]
      const whole = list.whole && words.length === 0 && !isFiltered(command) && !options.has('untracked-files')
      return [{ kind: 'status', ...at, paths: inFolder(list.paths), ...(whole ? { whole } : {}) }]
    }
    case 'add':
    case 'stage': {
      const ignored = ignoredIn(output)
      // A later step of the command line may have failed: if it made a commit, `git add` did not.
      const isStopped = ok === false && FATAL.test(output) && output.search(REPORTED) === -1
      const staged = isStopped ? undefined : stagedPaths(operands, options, folder)
      return [
        ...listed('ignored', ignored),
        ...(staged === undefined ? [] : [{ kind: 'staged', ...at, ...staged } as const]),
      ]
    }
    case 'rm':
    case 'mv':
      return ok === false ? [] : [{ kind: 'staged', ...at, paths: inFolder(words) }]
    case 'commit':
      return [
        ...commitStages(words, options, at, inFolder),
        ...(isUnnamedCommit(run, options) ? [{ kind: 'took', ...at } as const] : []),
        ...listed('shown', reportedFiles(output)),
      ]
    case 'push':
      return ok === false || REFUSED.test(output) ? [] : [{ kind: 'pushed', seq, ...branchIn(output) }]
    case 'stash':
      return stashFacts(words[0], at)
    case 'rebase':
    case 'filter-branch':
    case 'pull': {
      const isRebase = verb !== 'pull' || options.has('rebase') || options.has('r')
      if (ok === false || (!REBASED.test(output) && (!isRebase || UP_TO_DATE.test(output)))) return []
      const took: GitFact[] = options.has('continue') ? [{ kind: 'took', ...at }] : []
      const count = REBASING.exec(output)?.[1]
      const commits = count === undefined || options.has('continue') ? {} : { commits: Number(count) }
      return [
        ...took,
        { kind: 'rewritten', ...at, ...commits },
        { kind: 'logged', ...at, commits: loggedCommits(output) },
      ]
    }
    case 'reset': {
      const target = operands.length === 1 ? words[0] : undefined
      if (ok === false || target === undefined || !OTHER_COMMIT.test(target)) return []
      return [{ kind: 'rewritten', ...at, reset: { mode: resetMode(options), ...resetTarget(target) } }]
    }
    case 'show':
      return [...listed('shown', listedFiles(output)), { kind: 'logged', ...at, commits: loggedCommits(output) }]
    case 'log':
    case 'reflog': {
      const lists = ['stat', 'name-only', 'name-status'].some((option) => options.has(option))
      const shown = lists ? listed('shown', listedFiles(output, options.has('name-only'))) : []
      return [...shown, { kind: 'logged', ...at, commits: loggedCommits(output) }]
    }
    case 'diff':
      if (options.has('no-index') || words.some((word) => OTHER_COMMIT.test(word))) return []
      return listed('status', listedFiles(output, options.has('name-only')))
    case 'check-ignore':
      return listed(
        'ignored',
        output.split('\n').filter((line) => /^[\w.@+-][^\s:]*$/.test(line)),
      )
    default:
      return []
  }
}

/** `git commit -q --no-edit`, `git commit -qF message.txt`: a commit that neither the command nor its output names. */
function isUnnamedCommit(run: RunCommand, options: Options): boolean {
  if (run.ok !== true || options.has('dry-run') || NOT_MADE.test(run.output)) return false
  return commitsIn(run).length === 0
}

function resetMode(options: Options): 'soft' | 'mixed' | 'hard' {
  if (options.has('soft')) return 'soft'
  return ['hard', 'keep', 'merge'].some((option) => options.has(option)) ? 'hard' : 'mixed'
}

/** `HEAD~2` and `HEAD^^` take back two commits; a hash goes back to that commit. */
function resetTarget(target: string): { commits?: number; to?: string } {
  const [, steps] = /^(?:HEAD|@)(?:~(\d*)|\^+)$/.exec(target) ?? []
  if (steps !== undefined) return { commits: Number(steps || 1) || 1 }
  if (/^(?:HEAD|@)\^+$/.test(target)) return { commits: target.split('^').length - 1 }
  return HASH.test(target) ? { to: target } : {}
}

/** The options with a value of the verbs whose other words we read. */
const OPTIONS = { short: 'mFCct', long: ['message', 'file', 'author', 'date', 'reuse-message', 'fixup'] }
const FATAL = /^(?:fatal|error): /m
const REFUSED = /^(?:error|fatal): |\[(?:remote )?rejected\]/m
/** A commit other than the last one, a stash, or a range. */
const OTHER_COMMIT =
  /\.\.|^[0-9a-f]{7,40}$|^(?:HEAD|@)[~^]|^(?:origin|upstream)\/|^@\{u|^(?:main|master|develop)$|^stash(?:@|$)/
const HASH = /^[0-9a-f]{7,40}$/
const REBASING = /\bRebasing \(\d{1,6}\/([1-9]\d{0,5})\)/
const REBASED = /\bSuccessfully rebased\b/
const UP_TO_DATE = /^(?:Current branch \S+ is|Already) up[ -]to[ -]date/m

/** True if a filter may have removed lines of the output. */
function isFiltered(command: string): boolean {
  return /\bgit\b[^|;&\n]*\|(?!\|)/.test(command)
}

type Options = ReturnType<typeof parseArguments>['options']
type Staged = Pick<Extract<GitFact, { kind: 'staged' }>, 'paths' | 'tracked'>

/** The staged paths; empty if everything is staged, undefined if the command does not show them (`git add src/*.ts "$file"`). */
function stagedPaths(operands: readonly Word[], options: Options, folder = ''): Staged | undefined {
  if (['u', 'update'].some((option) => options.has(option))) return { paths: [], tracked: true }
  if (operands.some(({ text }) => text === ':/')) return { paths: [] }
  if (operands.some(({ text }) => text === '.' || text === '*')) return { paths: folder === '' ? [] : [`${folder}/`] }
  if (operands.some(({ open }) => open)) return undefined
  return { paths: operands.map(({ text }) => joinPath(folder, text.replace(/^:\//, ''))).slice(0, MOST_PATHS) }
}

const MOST_PATHS = 200

/** `git commit -a` takes the files that git knows; with paths it takes those. */
function commitStages(
  words: readonly string[],
  options: Options,
  at: { readonly seq: Seq; readonly folder?: string },
  inFolder: (paths: readonly string[]) => string[],
): GitFact[] {
  if (options.has('a') || options.has('all')) return [{ kind: 'staged', ...at, paths: [], tracked: true }]
  return words.length === 0 ? [] : [{ kind: 'staged', ...at, paths: inFolder(words) }]
}

/** `   1a2b3c4..5d6e7f8  main -> main`, ` * [new branch]      topic -> topic` */
function branchIn(output: string): { branch?: string } {
  const branch = /^ *(?:[*+!=-] )?\S.{0,100}? -> ([^\s]{1,200})(?: .{0,100})?$/m.exec(output)?.[1]
  return branch === undefined ? {} : { branch }
}

/** A dropped stash is gone, too: the user has its changes in another way, or does not want them. */
const BACK: ReadonlySet<string> = new Set(['pop', 'apply', 'branch', 'drop', 'clear'])

function stashFacts(action: string | undefined, at: { readonly seq: Seq; readonly folder?: string }): GitFact[] {
  if (action === undefined || action === 'push' || action === 'save') return [{ kind: 'stashed', ...at }]
  return BACK.has(action) ? [{ kind: 'unstashed', ...at }] : []
}

/** The commits that a command made: those that git reports, or else those whose messages are in the command. */
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
  if (ok !== true || NOT_MADE.test(output)) return []
  return [...command.matchAll(COMMIT)].flatMap(({ index }) => {
    const subject = messageIn(command.slice(index, index + MESSAGE_CHARACTERS))
    return subject === undefined ? [] : [{ hash: loggedHash(output, subject), subject, ...amended }]
  })
}

const COMMIT_OUTPUT = 40_000
const MOST_COMMITS = 20
/** `[main 1a2b3c4] Subject`, `[topic (root-commit) 1a2b3c4] Subject`, `[detached HEAD 1a2b3c4] Subject` */
const REPORTED = /^\s{0,8}\[([^\]\s]{1,100})(?: \([\w-]{1,20}\)| HEAD)? ([0-9a-f]{7,40})\] (.{1,300})$/gm
const NOT_MADE =
  /\bnothing to commit\b|\bno changes added to commit\b|^(?:error|fatal): |--dry-run|\bnothing added to commit\b|\bhook (?:failed|exited)|\bAborting commit\b/m

const COMMIT = /\bgit\b[^\n|;&]{0,200}?\bcommit\b/g
const MESSAGE_CHARACTERS = 4_000

/** The first line of the message: `-m 'x'`, `-m "$(cat <<'EOF' …`, `-F - <<'EOF' …`. */
function messageIn(given: string): string | undefined {
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
