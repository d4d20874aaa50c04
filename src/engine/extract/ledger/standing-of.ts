import type { CommitFact, FileFact, GitFact, Index, Seq } from '../../../model/types.ts'
import type { LedgerFile } from './ledger-of.ts'

/** Whether the current version of a file, changed last at an entry, is in a commit. A commit has the files staged for it, or else everything. */
export function standingOf(
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
