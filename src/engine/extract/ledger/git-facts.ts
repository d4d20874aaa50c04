import type { CommitFact, GitFact, IndexDelta, Seq } from '../../../model/types.ts'
import { parseArguments } from '../shell/shell-options.ts'
import { type ShellCommand, type ShellStep, shellSteps, withoutWrappers } from '../shell/shell-steps.ts'
import { commitsIn } from './commits-in.ts'

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
