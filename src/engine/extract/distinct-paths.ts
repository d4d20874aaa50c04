import { mergeFile } from '../../model/facts/merge-facts.ts'
import type { FileFact } from '../../model/types.ts'

/** Files without duplicates, and the folder to which the relative paths belong, if the paths show it. */
export type DistinctPaths = { readonly files: readonly FileFact[]; readonly folder: string | undefined }

/**
 * Merges files that are listed twice, once by the absolute path and once relative to the working folder: a command may name
 * a file either way. The working folder is inferred from the paths. The absolute path stays.
 */
export function distinctPaths(files: readonly FileFact[]): DistinctPaths {
  const whole = new Map(files.filter(({ path }) => isWholePath(path)).map((fact) => [fact.path, fact]))
  const relative = files.filter(({ path }) => !isWholePath(path))
  const folder = whole.size === 0 || relative.length === 0 ? undefined : workingFolder(whole, relative)
  if (folder === undefined) return { files, folder }
  const dropped = new Set<string>()
  const changed = new Map<string, FileFact>()
  for (const fact of relative) {
    const path = `${folder}${fact.path}`
    const same = changed.get(path) ?? whole.get(path)
    if (same === undefined) continue
    dropped.add(fact.path)
    changed.set(path, mergeFile(same, { ...fact, path }))
  }
  return { files: files.flatMap((fact) => (dropped.has(fact.path) ? [] : [changed.get(fact.path) ?? fact])), folder }
}

/** True for a path from the root, a home folder or a drive. */
export function isWholePath(path: string): boolean {
  return /^(?:[\\/~]|[A-Za-z]:)/.test(path)
}

/** The folder that turns most of the relative paths into known absolute ones. */
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
  return [...votes].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? folderAbove(whole, relative)
}

/** The parent of a folder that was deleted or moved as a whole, if there is only one candidate. */
function folderAbove(whole: ReadonlyMap<string, FileFact>, relative: readonly FileFact[]): string | undefined {
  const gone = relative.filter(({ deleted, reverted }) => deleted !== undefined || reverted !== undefined)
  const found = new Set<string>()
  for (const { path } of gone.slice(-MOST_ASKED)) {
    for (const candidate of [...whole.keys()].slice(-MOST_ASKED)) {
      const at = candidate.indexOf(`/${path}/`)
      if (at !== -1) found.add(candidate.slice(0, at + 1))
    }
  }
  return found.size === 1 ? [...found][0] : undefined
}

const MOST_ASKED = 200

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
