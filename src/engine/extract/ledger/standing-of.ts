import type { CommitFact, FileFact, GitFact, Index, Seq } from '../../../model/types.ts'
import { baseName, isAbsolute, looksLikeFile, withDrive } from '../calls/paths.ts'
import { isKnownReset } from './current-commits.ts'
import type { LedgerFile } from './ledger-of.ts'

type FileStanding = Pick<LedgerFile, 'standing' | 'commit'>

/**
 * Whether the current version of a file, changed last at an entry, is in a commit, from the git commands of the log and
 * their output. If the log does not show it, the standing is `unknown`, and nothing is said.
 */
export function standingOf(
  { commits = [], git = [] }: Pick<Index, 'commits' | 'git'>,
  files: readonly FileFact[],
): (fact: FileFact, seq: Seq) => FileStanding {
  const isScratch = scratchRule(files)
  // Git Bash writes `D:/x` as `/d/x`; on other systems that is a folder.
  const isWindows = files.some(({ path }) => /^[A-Za-z]:/.test(path))
  const events = eventsOf(commits, git, isWindows ? withDrive : (path) => path)
  const folders = [...new Set(events.flatMap(({ folder }) => (folder === undefined ? [] : [folder])))]
  return (fact, seq) => {
    if (fact.access === 'reverted') return { standing: 'unchanged' }
    const isOutside = isScratch(fact.path)
    if (isOutside && !folders.some((folder) => isIn(fact.path, folder))) return { standing: 'outside' }
    return followed(fact, seq, events.filter(sameRepository(fact.path, folders, isScratch)))
  }
}

/** Something that git did or showed, with the file names in it prepared for lookups. */
type GitEvent = {
  readonly seq: Seq
  readonly folder: string | undefined
  readonly fact: GitFact | ({ readonly kind: 'commit'; readonly nth: number } & CommitFact)
  readonly names: (path: string) => boolean
}

function eventsOf(
  commits: readonly CommitFact[],
  git: readonly GitFact[],
  place: (path: string) => string,
): GitEvent[] {
  const nth = (i: number) => i - commits.findIndex(({ seq }) => seq === commits[i]?.seq)
  const all = [...git, ...commits.map((commit, i) => ({ kind: 'commit' as const, nth: nth(i), ...commit }))]
  return all
    .filter(({ kind }) => kind !== 'pushed' && kind !== 'opened')
    .map((fact): GitEvent => {
      const folder = 'folder' in fact ? fact.folder : undefined
      const names = pathMatcher('paths' in fact ? fact.paths.map(place) : [])
      return { seq: fact.seq, folder: folder && place(folder), fact, names }
    })
    .sort((a, b) => a.seq - b.seq || orderOf(a.fact) - orderOf(b.fact))
}

/** A command line stages, commits, perhaps several times, and then looks. */
function orderOf(fact: GitEvent['fact']): number {
  const commits = fact.kind === 'commit' ? fact.nth : 'after' in fact ? (fact.after ?? 0) : 0
  return ORDER[fact.kind] + 2 * commits
}

const ORDER: Readonly<Record<GitEvent['fact']['kind'], number>> = {
  ignored: 0,
  // Of one command line, these are in their order.
  unstashed: 1,
  stashed: 1,
  rewritten: 1,
  staged: 1,
  took: 2,
  commit: 2,
  shown: 91,
  logged: 91,
  status: 92,
  pushed: 93,
  opened: 93,
}

/** True for a path that a list names, or that lies in a folder of the list. One of them may be relative to an unknown folder. */
export function pathMatcher(paths: readonly string[]): (path: string) => boolean {
  const clean = (path: string) => path.replace(/^(?:\.{1,2}\/)+|\/+$/g, '')
  const byName = Map.groupBy(paths.map(clean), baseName)
  const folders = paths.filter((path) => !looksLikeFile(path)).map(clean)
  return (path) => {
    const same = byName.get(baseName(path)) ?? []
    if (same.some((one) => one === path || path.endsWith(`/${one}`) || one.endsWith(`/${path}`))) return true
    return folders.some(
      (folder) => path.startsWith(`${folder}/`) || (!isAbsolute(folder) && `/${path}`.includes(`/${folder}/`)),
    )
  }
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** A commit in a scratch repository says nothing about the project, and one in a neighbouring repository says nothing about this one. */
function sameRepository(path: string, folders: readonly string[], isScratch: (path: string) => boolean) {
  const own = folders.filter((folder) => isIn(path, folder)).sort((a, b) => b.length - a.length)[0]
  return ({ folder }: GitEvent): boolean => {
    if (folder === undefined) return own === undefined || !isScratch(own)
    if (isAbsolute(path) && isIn(path, folder)) return true
    if (isScratch(folder)) return false
    return own === undefined || isIn(folder, own) || isIn(own, folder)
  }
}

/** Follows a file from its last change through the events after that. */
function followed(file: FileFact, changed: Seq, events: readonly GitEvent[]): FileStanding {
  const commits = events.flatMap(({ fact }) => (fact.kind === 'commit' ? [fact] : []))
  let now = UNKNOWN
  if (events.length === 0) return now
  let staged = NOTHING_STAGED
  let stashed: Seq = 0
  /** Git has listed it, so it is not ignored. */
  let isListed = false
  // A file that was there before and that projects do not ignore is one that git knows.
  let isTracked = file.created === undefined && !OFTEN_IGNORED.test(file.path)
  let maybe: CommitFact | undefined
  let isChanged = false
  const begin = () => {
    isChanged = true
    const mayBeUnknown = file.access === 'deleted' || (file.created !== undefined && OFTEN_IGNORED.test(file.path))
    // The log does not have the git commands of a sub-agent.
    const mayBeCommitted = file.delegated !== undefined && file.delegated >= changed
    now = !mayBeCommitted && (isListed || !mayBeUnknown) ? UNCOMMITTED : UNKNOWN
  }
  for (const { seq, fact, names } of events) {
    if (!isChanged && seq >= changed) begin()
    switch (fact.kind) {
      case 'ignored':
        if (names(file.path)) return UNKNOWN
        break
      case 'staged':
        staged = withStaged(staged, fact, names(file.path) || isWholeFolder(fact, file.path))
        break
      case 'took':
      case 'commit': {
        const commit = fact.kind === 'commit' ? fact : undefined
        const committed: FileStanding = { standing: 'committed', ...(commit === undefined ? {} : { commit }) }
        const isTaken = staged.hasFile || staged.isAll || (staged.hasTracked && isTracked)
        if (isTaken) [isListed, isTracked] = [true, true]
        if (isChanged && isTaken && now.standing !== 'committed') now = committed
        else if (isChanged && !isTaken && now.standing === 'uncommitted' && (!staged.isSeen || staged.hasTracked))
          [now, maybe] = [UNKNOWN, commit]
        if (commit?.amended === true && now.standing === 'committed') now = committed
        staged = NOTHING_STAGED
        break
      }
      case 'rewritten': {
        if (fact.reset === undefined) break
        const { mode } = fact.reset
        const isInDoubt = !isKnownReset(fact.reset, commits)
        if (now.standing === 'committed' ? isInDoubt : isChanged && mode === 'hard') [now, maybe] = [UNKNOWN, undefined]
        if (mode !== 'soft') staged = NOTHING_STAGED
        break
      }
      case 'shown':
        if (!names(file.path)) break
        ;[isListed, isTracked] = [true, true]
        if (isChanged && maybe !== undefined && now.standing === 'unknown')
          now = { standing: 'committed', commit: maybe }
        break
      case 'status':
        if (names(file.path)) {
          isListed = true
          // A command line may have looked before it stashed.
          if (isChanged && (now.standing !== 'stashed' || seq > stashed)) [now, maybe] = [UNCOMMITTED, undefined]
        } else if (isChanged && fact.whole === true && now.standing !== 'committed') {
          now = maybe !== undefined && isTracked ? { standing: 'committed', commit: maybe } : UNKNOWN
        }
        break
      case 'stashed':
        if (isChanged && now.standing === 'uncommitted' && (isTracked || file.created === undefined))
          [now, stashed] = [STASHED, seq]
        break
      case 'unstashed':
        if (now.standing === 'stashed') now = UNCOMMITTED
        break
    }
  }
  if (!isChanged) begin()
  return now
}

const UNKNOWN: FileStanding = { standing: 'unknown' }
const UNCOMMITTED: FileStanding = { standing: 'uncommitted' }
const STASHED: FileStanding = { standing: 'stashed' }

type Staged = {
  readonly isSeen: boolean
  readonly isAll: boolean
  readonly hasTracked: boolean
  readonly hasFile: boolean
}

const NOTHING_STAGED: Staged = { isSeen: false, isAll: false, hasTracked: false, hasFile: false }

/** True for `git add .` in a folder, if the file has a path from an unknown one: it is taken for the same. */
function isWholeFolder({ paths, folder }: Extract<GitFact, { kind: 'staged' }>, path: string): boolean {
  return folder !== undefined && !isAbsolute(path) && paths.includes(`${folder}/`)
}

function withStaged(old: Staged, { paths, tracked }: Extract<GitFact, { kind: 'staged' }>, hasFile: boolean): Staged {
  return {
    isSeen: true,
    isAll: old.isAll || (paths.length === 0 && tracked !== true),
    hasTracked: old.hasTracked || tracked === true,
    hasFile: old.hasFile || hasFile,
  }
}

/** Files that most projects ignore: nothing is said about a new one of these until git lists it. */
const OFTEN_IGNORED =
  /(?:^|\/)(?:\.env(?:\.\w+)?|\.DS_Store|.*\.(?:log|tmp|pyc|local\.json|tsbuildinfo|db|sqlite3?))$|(?:^|\/)(?:node_modules|dist|build|out|target|coverage|tmp|temp|logs|__pycache__|\.venv|venv|\.next|\.cache|\.claude)\//

/** True for files outside the repository: those of agents and the system, and temporary files unless most of the work is in a temporary folder. */
function scratchRule(files: readonly FileFact[]): (path: string) => boolean {
  const others = files.filter(({ path }) => !SCRATCH.test(path))
  if (others.length === 0) return () => false
  const temporary = others.filter(({ path }) => TEMPORARY.test(path)).length
  const isWorkThere = temporary * 2 > others.length
  return (path) => SCRATCH.test(path) || (!isWorkThere && TEMPORARY.test(path))
}

const SCRATCH =
  /^(?:\/private)?\/(?:var\/)?tmp\/[^/]+$|^~\/\.|[\\/]\.(?:claude|codex)[\\/](?:plans|projects|tmp|memories)[\\/]|[\\/]AppData[\\/]Local[\\/]Temp[\\/]/
const TEMPORARY = /^(?:\/private)?\/(?:var\/)?tmp\/|^(?:\/private)?\/var\/folders\//
