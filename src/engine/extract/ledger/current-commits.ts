import type { CommitFact, GitFact, Index } from '../../../model/types.ts'

type Rewritten = Extract<GitFact, { kind: 'rewritten' }>

/**
 * The commits that no reset has taken back, under their current hashes. After a rebase a commit has the hash that git listed for
 * its subject since, or none.
 */
export function currentCommits({ commits = [], git = [] }: Pick<Index, 'commits' | 'git'>): CommitFact[] {
  const rewritten = git.filter((fact) => fact.kind === 'rewritten')
  const logged = git.filter((fact) => fact.kind === 'logged')
  const replaced = rewritten
    .filter(({ reset }) => reset === undefined || !isKnownReset(reset, commits))
    .map((fact) => ({ seq: fact.seq, commits: newestBefore(commits, fact, fact.commits) }))
  return rewritten.reduce(withoutUndone, commits).map((commit) => {
    const since = replaced.findLast((one) => one.commits.has(commit))?.seq
    if (since === undefined || commit.hash === undefined) return commit
    const { hash: _, ...rest } = commit
    const listed = logged.filter(({ seq }) => seq >= since).flatMap((fact) => fact.commits)
    // Two merges of one branch have the same subject: a hash that git reported for another commit belongs to that one.
    const own = listed.filter(({ hash }) => !commits.some((other) => other !== commit && isCommit(other, hash)))
    const hash = own.findLast(({ subject }) => subject === commit.subject)?.hash
    return { ...rest, ...(hash === undefined ? {} : { hash }) }
  })
}

/** The commits without those that a reset takes back. */
function withoutUndone(commits: readonly CommitFact[], fact: Rewritten): readonly CommitFact[] {
  const { reset } = fact
  if (reset === undefined || !isKnownReset(reset, commits)) return commits
  const undone = newestBefore(commits, fact, reset.commits, reset.to)
  return commits.filter((commit) => !undone.has(commit))
}

/** The newest commits before git rewrote some. A commit that was amended is one with the commit that replaced it. */
function newestBefore(
  commits: readonly CommitFact[],
  { seq, folder, after = 0 }: Rewritten,
  count = Number.POSITIVE_INFINITY,
  end?: string,
): ReadonlySet<CommitFact> {
  const inLine = commits.filter((commit) => commit.seq === seq).slice(0, after)
  const before = commits.filter(
    (commit) => (commit.seq < seq || inLine.includes(commit)) && isOneFolder(folder, commit.folder),
  )
  const newest = new Set<CommitFact>()
  let left = count
  for (const commit of before.toReversed()) {
    if (left <= 0 || (end !== undefined && isCommit(commit, end))) break
    newest.add(commit)
    if (commit.amended !== true) left--
  }
  return newest
}

/** True if the log shows which commits a reset took back. */
export function isKnownReset({ commits, to }: NonNullable<Rewritten['reset']>, known: readonly CommitFact[]): boolean {
  return commits !== undefined || (to !== undefined && known.some((commit) => isCommit(commit, to)))
}

/** True for the commit with this hash, whichever of the two is longer. */
function isCommit({ hash = '' }: CommitFact, other: string): boolean {
  return hash !== '' && (hash.startsWith(other) || other.startsWith(hash))
}

function isOneFolder(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a.startsWith(b) || b.startsWith(a)
}
