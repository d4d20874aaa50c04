import type { FileFact } from '../../../model/log-index.ts'

/**
 * Files without those that stand there twice, once by the whole path and once as seen from the working folder: a
 * command names a file in its own way. Which folder that is shows in the paths. Modified wins, the whole path stays.
 */
export function distinctPaths(files: readonly FileFact[]): FileFact[] {
  const whole = new Map(files.filter(({ path }) => isWhole(path)).map((fact) => [fact.path, fact]))
  const relative = files.filter(({ path }) => !isWhole(path))
  if (whole.size === 0 || relative.length === 0) return [...files]
  const folder = workingFolder(whole, relative)
  if (folder === undefined) return [...files]
  const dropped = new Set<string>()
  const changed = new Map<string, FileFact>()
  for (const fact of relative) {
    const path = `${folder}${fact.path}`
    const same = changed.get(path) ?? whole.get(path)
    if (same === undefined) continue
    dropped.add(fact.path)
    const access = same.access === 'modified' ? same.access : fact.access
    changed.set(path, { ...same, access, seq: Math.max(same.seq, fact.seq) })
  }
  return files.flatMap((fact) => (dropped.has(fact.path) ? [] : [changed.get(fact.path) ?? fact]))
}

function isWhole(path: string): boolean {
  return /^(?:[\\/~]|[A-Za-z]:)/.test(path)
}

/** The folder from which most of the relative paths are a whole one. */
function workingFolder(whole: ReadonlyMap<string, FileFact>, relative: readonly FileFact[]): string | undefined {
  const byName = Map.groupBy(whole.keys(), nameOf)
  const votes = new Map<string, number>()
  for (const { path } of relative.slice(-MOST_ASKED)) {
    for (const candidate of (byName.get(nameOf(path)) ?? []).slice(0, MOST_ASKED)) {
      if (!candidate.endsWith(`/${path}`)) continue
      const folder = candidate.slice(0, -path.length)
      votes.set(folder, (votes.get(folder) ?? 0) + 1)
    }
  }
  return [...votes].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

const MOST_ASKED = 200

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
