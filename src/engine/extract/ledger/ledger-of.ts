import { lastChange, mergeFileChanges } from '../../../model/facts/merge-facts.ts'
import type { ChangeFact, CommandFact, CommitFact, FileFact, GitFact, Hunk, Index, Seq } from '../../../model/types.ts'
import { type KnownFiles, knownFiles } from '../current-files.ts'
import { checkScope } from './check-scope.ts'
import { type CheckKind, type KnownCommand, knownCommands } from './command-kind.ts'
import { currentCommits } from './current-commits.ts'
import { pathMatcher, standingOf } from './standing-of.ts'

export type LedgerState = 'created' | 'edited' | 'deleted' | 'moved' | 'reverted' | 'resolved'

/**
 * `outside`: a scratch file that is in no repository. `unchanged`: it has the text that git has. `unknown`: the log does not
 * show whether it is committed.
 */
export type Standing = 'uncommitted' | 'unknown' | 'stashed' | 'committed' | 'unchanged' | 'outside'

/** One file that the work changed: its current state, and what is known about it. */
export type LedgerFile = {
  readonly path: string
  readonly state: LedgerState
  /** The last change. */
  readonly seq: Seq
  readonly edits: number
  /** The previous path of a moved file. */
  readonly from?: string
  /** The side of a merge that a conflict was resolved with. */
  readonly side?: FileFact['side']
  /** The sub-agent that changed it, too; alone if `edits` is 0. */
  readonly by?: string
  /** True if its whole text was written again, so that `added` lists everything in it. */
  readonly isWhole: boolean
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** Symbols that were there before and are there now, with other lines. */
  readonly changed: readonly string[]
  /** The newest first, those that only import something last. */
  readonly hunks: readonly Hunk[]
  /** The entries of its earlier path and of the symbols. */
  readonly sources: readonly Seq[]
  /** The last check since its last change that covered it. */
  readonly check?: LedgerCheck
  /**
   * True if certainly no check at all ran since its last change. A check in the entry of that change may have run before it
   * or after it: then nothing is known.
   */
  readonly isUnchecked: boolean
  readonly standing: Standing
  /** The commit that contains it, if that is known. */
  readonly commit?: CommitFact
  /** True if git has taken back its last edits: it is as that commit has it. */
  readonly isReset?: boolean
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
  const lastCheck = checks.at(-1)?.seq ?? 0
  const checkSince = checksSince(commands)
  const allCommits = currentCommits(index)
  const commits = allCommits.filter((_, i) => allCommits[i + 1]?.amended !== true)
  const changesOf = changesByFile(index, known)
  const facts = changedFiles(known)
  const standing = standingOf({ commits: allCommits, git: index.git }, facts)
  const files = facts.flatMap((known): LedgerFile[] => {
    const change = changesOf(known)
    if (isPassing(known, change, index) || isOnlyReset(known, change, index)) return []
    const lost = lostSpan(known, index.commits ?? [])
    const seq = lastStandingChange(known, change, lost)
    const check = checkSince(known.path, seq)
    const found = standing(known, seq)
    const fact = isTakenBack(known, found) ? { ...known, access: 'reverted' as const } : known
    const fileStanding = fact === known ? found : standing(fact, seq)
    // The output of a command, which nobody wrote by hand.
    if (fileStanding.standing === 'outside' && change === undefined) return []
    const file: LedgerFile = {
      path: fact.path,
      state: stateOf(fact),
      seq,
      edits: change?.edits ?? (fact.by === undefined ? 1 : 0),
      from: fact.from,
      side: fact.side,
      by: fact.by,
      ...textOf(fact, change, lost),
      check,
      // The log does not have the checks of sub-agents.
      isUnchecked: fact.by === undefined && check === undefined && lastCheck < seq,
      ...fileStanding,
      ...(isReset(fact, index) ? { isReset: true } : {}),
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

/** True if git reset a file of which the log shows no change before: nothing shows that its text went back. */
function isOnlyReset(fact: FileFact, change: ChangeFact | undefined, { git = [] }: Index): boolean {
  const { access, reverted = 0, modified, deleted } = fact
  if (access !== 'reverted' || change !== undefined || modified !== undefined || deleted !== undefined) return false
  return !git.some((one) => one.kind === 'status' && one.seq < reverted && pathMatcher(one.paths)(fact.path))
}

/** True if git reset the file after its last edit, and no commit between them has that edit. */
function isReset({ modified = 0, reverted = 0, deleted = 0 }: FileFact, index: Index): boolean {
  return reverted > Math.max(modified, deleted) && modified > 0 && !isCommittedBetween(index, modified, reverted)
}

/** If the commits before a reset do not have the edits of a file, the reset took them back. */
function isTakenBack(fact: FileFact, { standing }: Pick<LedgerFile, 'standing'>): boolean {
  return standing === 'uncommitted' && fact.reverted !== undefined && fact.reverted === lastChange(fact)
}

/**
 * The entries whose edits are lost, without both ends: from the last commit to the reset of the file, or from the beginning
 * to its deletion or to the choice of one side of a merge, which may be the one without them.
 */
type LostSpan = { readonly from: Seq; readonly to: Seq }

function lostSpan({ reverted = 0, deleted = 0, resolved = 0 }: FileFact, commits: readonly CommitFact[]): LostSpan {
  const gone = Math.max(deleted, resolved)
  if (gone >= reverted) return { from: 0, to: gone }
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
  if (fact.resolved !== undefined && fact.resolved === lastChange(fact)) return 'resolved'
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

type LedgerText = Pick<LedgerFile, 'isWhole' | 'added' | 'removed' | 'renamed' | 'changed' | 'hunks' | 'sources'>

const NO_TEXT: LedgerText = {
  isWhole: false,
  added: [],
  removed: [],
  renamed: [],
  changed: [],
  hunks: [],
  sources: [],
}

function textOf(fact: FileFact, change: ChangeFact | undefined, lost: LostSpan): LedgerText {
  const moved = fact.moved === undefined ? [] : [fact.moved]
  if (change === undefined || fact.access === 'deleted' || fact.access === 'reverted')
    return { ...NO_TEXT, sources: moved }
  const whole = isLost(change.whole ?? 0, lost) ? 0 : (change.whole ?? 0)
  const found = (change.symbols ?? []).filter(({ last }) => !isLost(last, lost))
  const symbols = found.map(({ name, was, is, last }) => ({ name, was, is: is && last >= whole })).toReversed()
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
    sources: [
      ...moved,
      ...found.flatMap(({ first, last }) => [first, last]),
      ...(change.renamed ?? []).map(({ seq }) => seq),
    ],
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

/** Returns the last test since an entry that covered a file, or else the last other check that did. */
function checksSince(commands: readonly KnownCommand[]): (path: string, seq: Seq) => LedgerCheck | undefined {
  const runs = commands
    .flatMap((known) => {
      const check = ledgerCheck(known)
      return check === undefined ? [] : [{ check, covers: checkScope(known.steps, known.fact.folder) }]
    })
    .sort((a, b) => b.check.seq - a.check.seq)
  const tests = runs.filter(({ check }) => check.kind === 'test')
  return (path, seq) => {
    const since = ({ check, covers }: (typeof runs)[number]) => check.seq > seq && covers(path)
    return (tests.find(since) ?? runs.find(since))?.check
  }
}

const RANKS: Readonly<Record<Standing, number>> = {
  uncommitted: 0,
  stashed: 0,
  unknown: 0,
  committed: 1,
  unchanged: 2,
  outside: 3,
}

/** Uncommitted work first. Then the files that were changed last; frequent changes move a file up a little. */
function byImportance(files: readonly LedgerFile[]): LedgerFile[] {
  const seqs = files.map(({ seq }) => seq)
  const span = seqs.reduce((most, seq) => Math.max(most, seq), 0) - seqs.reduce((least, seq) => Math.min(least, seq), 0)
  // Nothing is left of the edits of a file that is gone.
  const lasting = ({ state, edits }: LedgerFile) => (state === 'deleted' || state === 'reverted' ? 1 : edits)
  const weight = (file: LedgerFile) => file.seq + Math.log2(Math.max(lasting(file), 1)) * span * WEIGHT_OF_EDITS
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
  return commands.flatMap((known) => ledgerCheck(known) ?? []).toSorted((a, b) => a.seq - b.seq)
}

function ledgerCheck({ fact, check: kind }: KnownCommand): LedgerCheck | undefined {
  if (kind === undefined) return undefined
  const { command, seq, tests } = fact
  return { command, seq, kind, ok: outcomeIn(fact), tests }
}

/** If a filter hides the exit status, the test counts decide. */
function outcomeIn({ ok, tests }: CommandFact): boolean | undefined {
  if (tests !== undefined && tests.failed > 0) return false
  return ok ?? (tests !== undefined && tests.passed > 0 ? true : undefined)
}
