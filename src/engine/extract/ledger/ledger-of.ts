import { lastChange, mergeFileChanges } from '../../../model/facts/merge-facts.ts'
import type { ChangeFact, CommandFact, CommitFact, FileFact, GitFact, Hunk, Index, Seq } from '../../../model/types.ts'
import { type KnownFiles, knownFiles } from '../current-files.ts'
import { type CheckKind, type KnownCommand, knownCommands } from './command-kind.ts'

export type LedgerState = 'created' | 'edited' | 'deleted' | 'moved' | 'reverted'

/** `outside`: a scratch file that is in no repository. `unchanged`: it has the text that git has. */
export type Standing = 'uncommitted' | 'stashed' | 'committed' | 'unchanged' | 'outside'

/** One file that the work changed: its current state, and what is known about it. */
export type LedgerFile = {
  readonly path: string
  readonly state: LedgerState
  /** The last change. */
  readonly seq: Seq
  readonly edits: number
  /** The previous path of a moved file. */
  readonly from?: string
  /** True if its whole text was written again, so that `added` lists everything in it. */
  readonly isWhole: boolean
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** Symbols that were there before and are there now, with other lines. */
  readonly changed: readonly string[]
  /** The newest first, those that only import something last. */
  readonly hunks: readonly Hunk[]
  /** The last check since its last change. */
  readonly check?: LedgerCheck
  readonly standing: Standing
  /** The commit that contains it, if that is known. */
  readonly commit?: CommitFact
}

/** The changes of the work: the files in order of importance, and the events in the repository. */
export type Ledger = {
  readonly files: readonly LedgerFile[]
  /** In the order of the log, without those that were amended later. */
  readonly commits: readonly CommitFact[]
  /** The last run of each check, in the order of the log. */
  readonly checks: readonly LedgerCheck[]
  /** Pushes, pull requests, issues and releases, in the order of the log. */
  readonly published: readonly Extract<GitFact, { kind: 'pushed' | 'opened' }>[]
}

/** The ledger of an index: the current state of each file, however often it was edited. */
export function ledgerOf(
  index: Index,
  known: KnownFiles = knownFiles(index),
  commands = knownCommands(index.commands),
): Ledger {
  const checks = ledgerChecks(commands)
  const checkSince = checksSince(checks)
  const commits = standingCommits(index.commits ?? [])
  const changesOf = changesByFile(index, known)
  const facts = changedFiles(known)
  const standing = standingOf(index, facts)
  const files = facts.flatMap((fact): LedgerFile[] => {
    const change = changesOf(fact)
    if (isPassing(fact, change, index)) return []
    const lost = lostSpan(fact, index.commits ?? [])
    const seq = lastStandingChange(fact, change, lost)
    const check = checkSince(seq)
    const fileStanding = standing(fact, seq)
    // The output of a command, which nobody wrote by hand.
    if (fileStanding.standing === 'outside' && change === undefined) return []
    const file: LedgerFile = {
      path: fact.path,
      state: stateOf(fact),
      seq,
      edits: change?.edits ?? 1,
      from: fact.from,
      ...textOf(fact, change, lost),
      check,
      ...fileStanding,
    }
    return [file]
  })
  const published = (index.git ?? []).filter((fact) => fact.kind === 'pushed' || fact.kind === 'opened')
  return { files: byImportance(files), commits, checks, published }
}

/** The old name of a file that was moved is left out. */
function changedFiles({ current: files }: KnownFiles): FileFact[] {
  const paths = new Set(files.map(({ path }) => path))
  return files.filter((fact) => {
    if (fact.access === 'read') return false
    if (fact.access !== 'deleted') return true
    return fact.to === undefined || !paths.has(fact.to)
  })
}

/** True for a file that was created and deleted again: nothing of it is left. If it was written as a whole, we assume that it was created. */
function isPassing(fact: FileFact, change: ChangeFact | undefined, index: Index): boolean {
  if (fact.access !== 'deleted') return false
  const isWritten = change?.whole !== undefined && !(change.symbols ?? []).some(({ was }) => was)
  const made = fact.created ?? (isWritten ? (fact.first ?? change.whole) : undefined)
  return made !== undefined && !isCommittedBetween(index, made, fact.deleted ?? fact.seq)
}

/** The entries whose edits are lost, without both ends: from the last commit to the reset or deletion of the file. */
type LostSpan = { readonly from: Seq; readonly to: Seq }

function lostSpan({ reverted = 0, deleted = 0 }: FileFact, commits: readonly CommitFact[]): LostSpan {
  if (deleted >= reverted) return { from: 0, to: deleted }
  return { from: commits.findLast(({ seq }) => seq < reverted)?.seq ?? 0, to: reverted }
}

function isLost(seq: Seq, { from, to }: LostSpan): boolean {
  return seq > from && seq < to
}

/** After git reset a file to a commit, its last change is the one before that commit. */
function lastStandingChange(fact: FileFact, change: ChangeFact | undefined, lost: LostSpan): Seq {
  const last = Math.max(lastChange(fact) || fact.seq, change?.seq ?? 0)
  return fact.access === 'modified' && fact.reverted === last ? Math.min(fact.modified ?? last, lost.from) : last
}

function isCommittedBetween({ commits = [] }: Index, from: Seq, to: Seq): boolean {
  return commits.some(({ seq }) => seq > from && seq < to)
}

function stateOf(fact: FileFact): LedgerState {
  if (fact.access === 'deleted' || fact.access === 'reverted') return fact.access
  // If another file was moved over an existing one, that counts as an edit of the existing file.
  const isNew = (fact.first ?? fact.moved ?? 0) >= (fact.moved ?? 0)
  if (fact.moved !== undefined && fact.from !== undefined && isNew) return 'moved'
  return fact.created !== undefined && fact.created > (fact.deleted ?? 0) ? 'created' : 'edited'
}

/** The changes of a file, under all the names that it had. */
function changesByFile(index: Index, { files, folder }: KnownFiles): (fact: FileFact) => ChangeFact | undefined {
  const paths = new Set(files.map(({ path }) => path))
  const whole = (path: string) =>
    !paths.has(path) && folder !== undefined && paths.has(`${folder}${path}`) ? `${folder}${path}` : path
  const byPath = Map.groupBy(index.changes ?? [], ({ path }) => whole(path))
  const byName = new Map(index.files.map((fact) => [whole(fact.path), fact]))
  return (fact) => {
    const found: ChangeFact[] = []
    let name: string | undefined = fact.path
    for (let moves = 0; name !== undefined && moves < MOST_MOVES; moves++) {
      found.push(...(byPath.get(name) ?? []))
      const from: string | undefined = moves === 0 ? fact.from : byName.get(name)?.from
      name = from === undefined ? undefined : whole(from)
    }
    return found.length === 0 ? undefined : mergeFileChanges(found)
  }
}

const MOST_MOVES = 5

type LedgerText = Pick<LedgerFile, 'isWhole' | 'added' | 'removed' | 'renamed' | 'changed' | 'hunks'>

const NO_TEXT: LedgerText = { isWhole: false, added: [], removed: [], renamed: [], changed: [], hunks: [] }

function textOf(fact: FileFact, change: ChangeFact | undefined, lost: LostSpan): LedgerText {
  if (change === undefined || fact.access === 'deleted' || fact.access === 'reverted') return NO_TEXT
  const whole = isLost(change.whole ?? 0, lost) ? 0 : (change.whole ?? 0)
  const symbols = (change.symbols ?? [])
    .filter(({ last }) => !isLost(last, lost))
    .map(({ name, was, is, last }) => ({ name, was, is: is && last >= whole }))
    .toReversed()
  const named = (was: boolean, is: boolean) => symbols.filter((each) => each.was === was && each.is === is)
  const added = named(false, true).map(({ name }) => name)
  const removed = named(true, false).map(({ name }) => name)
  const renamed = renamedOf(change, new Set(added), new Set(removed))
  return {
    isWhole: whole > 0,
    added: added.filter((name) => !renamed.some(({ to }) => to === name)),
    removed: removed.filter((name) => !renamed.some(({ from }) => from === name)),
    renamed,
    changed: named(true, true).map(({ name }) => name),
    hunks: slightLast((change.hunks ?? []).filter(({ seq }) => !isLost(seq, lost)).toReversed()),
  }
}

function slightLast(hunks: readonly Hunk[]): readonly Hunk[] {
  if (hunks.length < 2) return hunks
  const isSlight = ({ text }: Hunk) => text.split('\n').every((line) => SLIGHT.test(line))
  return [...hunks.filter((hunk) => !isSlight(hunk)), ...hunks.filter(isSlight)]
}

/** A line of imports, a comment, or a bracket alone. */
const SLIGHT = /^[+-]\s*(?:import\b|from\s|use\s|using\s|#include|\/\/|["'][^"']{1,200}["'],?$|[)\]}]*[;,]?$|…$)/

/** A name that was renamed twice is listed with its first and its last name. */
function renamedOf({ renamed = [] }: ChangeFact, added: ReadonlySet<string>, removed: ReadonlySet<string>) {
  const origin = new Map<string, string>()
  for (const { from, to } of renamed) origin.set(to, origin.get(from) ?? from)
  return [...origin].flatMap(([to, from]) => (added.has(to) && removed.has(from) ? [{ from, to }] : []))
}

/** Returns the last test since an entry, or else the last other check. */
function checksSince(checks: readonly LedgerCheck[]): (seq: Seq) => LedgerCheck | undefined {
  const last = [checks.findLast(({ kind }) => kind === 'test'), checks.at(-1)]
  return (seq) => last.find((check) => check !== undefined && check.seq > seq)
}

function standingCommits(commits: readonly CommitFact[]): CommitFact[] {
  return commits.filter((_, i) => commits[i + 1]?.amended !== true)
}

const RANKS: Readonly<Record<Standing, number>> = { uncommitted: 0, stashed: 0, committed: 1, unchanged: 2, outside: 3 }

/** Uncommitted work first. Then the files that were changed last; frequent changes move a file up a little. */
function byImportance(files: readonly LedgerFile[]): LedgerFile[] {
  const seqs = files.map(({ seq }) => seq)
  const span = seqs.reduce((most, seq) => Math.max(most, seq), 0) - seqs.reduce((least, seq) => Math.min(least, seq), 0)
  const weight = ({ seq, edits }: LedgerFile) => seq + Math.log2(edits) * span * WEIGHT_OF_EDITS
  return files.toSorted((a, b) => RANKS[a.standing] - RANKS[b.standing] || weight(b) - weight(a))
}

const WEIGHT_OF_EDITS = 0.1

/** The last run of a test, a build, a type check or a linter. `ok` is undefined if nothing shows how it ended. */
export type LedgerCheck = Pick<CommandFact, 'command' | 'seq' | 'tests'> & {
  readonly kind: CheckKind
  readonly ok: boolean | undefined
}

/** The commands that check the work, in the order of the log. */
function ledgerChecks(commands: readonly KnownCommand[]): LedgerCheck[] {
  return commands
    .flatMap(({ fact, check: kind }): LedgerCheck[] => {
      if (kind === undefined) return []
      const { command, seq, tests } = fact
      return [{ command, seq, kind, ok: outcomeIn(fact), tests }]
    })
    .toSorted((a, b) => a.seq - b.seq)
}

/** If a filter hides the exit status, the test counts decide. */
function outcomeIn({ ok, tests }: CommandFact): boolean | undefined {
  if (tests !== undefined && tests.failed > 0) return false
  return ok ?? (tests !== undefined && tests.passed > 0 ? true : undefined)
}

/** Whether the current version of a file, changed last at an entry, is in a commit. A commit has the files staged for it, or else everything. */
function standingOf(
  { commits = [], git = [] }: Pick<Index, 'commits' | 'git'>,
  files: readonly FileFact[],
): (fact: FileFact, seq: Seq) => Pick<LedgerFile, 'standing' | 'commit'> {
  const isScratch = scratchRule(files)
  const stages = stagesOf(commits, git)
  const clean = lastOf(git, 'clean')
  const stashed = lastOf(git, 'stashed')
  const isStashed = stashed > lastOf(git, 'unstashed')
  return (fact, seq) => {
    if (fact.access === 'reverted') return { standing: 'unchanged' }
    if (isScratch(fact.path)) return { standing: 'outside' }
    const commit = stages.find(({ commit, has }) => commit.seq >= seq && has(fact.path))?.commit
    if (commit !== undefined) return { standing: 'committed', commit }
    if (clean > seq) return { standing: 'committed' }
    return { standing: isStashed && stashed > seq ? 'stashed' : 'uncommitted' }
  }
}

type Stage = { readonly commit: CommitFact; readonly has: (path: string) => boolean }

function stagesOf(commits: readonly CommitFact[], git: readonly GitFact[]): Stage[] {
  const staged = git.filter((fact) => fact.kind === 'staged')
  return commits.map((commit, i) => {
    const before = commits.slice(0, i).findLast(({ seq }) => seq < commit.seq)?.seq ?? -1
    const lists = staged.filter(({ seq }) => seq > before && seq <= commit.seq).map(({ paths }) => paths)
    const isAll = lists.length === 0 || lists.some((paths) => paths.length === 0)
    const paths = lists.flat().map((path) => path.replace(/^(?:\.\/)+|\/+$/g, ''))
    return { commit, has: (path) => isAll || paths.some((staged) => isUnder(path, staged)) }
  })
}

/** True if a path is the staged one or lies in it. The folder of either is unknown. */
function isUnder(path: string, staged: string): boolean {
  const inner = staged.replace(/^(?:\.\.\/)+/, '')
  return `/${path}/`.includes(`/${inner}/`) || `/${inner}`.endsWith(`/${path}`)
}

function lastOf(git: readonly GitFact[], kind: GitFact['kind']): Seq {
  return git.findLast((fact) => fact.kind === kind)?.seq ?? 0
}

/** True for files outside the repository: those of agents and the system, and temporary files unless most of the work is in a temporary folder. */
function scratchRule(files: readonly FileFact[]): (path: string) => boolean {
  const others = files.filter(({ path }) => !SCRATCH.test(path))
  if (others.length === 0) return () => false
  const temporary = others.filter(({ path }) => TEMPORARY.test(path)).length
  const isWorkThere = temporary * 2 > others.length
  return (path) => SCRATCH.test(path) || (!isWorkThere && TEMPORARY.test(path))
}

const SCRATCH =
  /^(?:\/private)?\/(?:var\/)?tmp\/[^/]+$|^~\/\.|[\\/]\.claude[\\/](?:plans|projects|tmp)[\\/]|[\\/]AppData[\\/]Local[\\/]Temp[\\/]/
const TEMPORARY = /^(?:\/private)?\/(?:var\/)?tmp\/|^(?:\/private)?\/var\/folders\//
