import { firstChange, lastChange, mergeFile } from '../../model/facts/merge-facts.ts'
import type { FileFact, Index, Seq } from '../../model/types.ts'
import { baseName } from './calls/paths.ts'

/** The files of an index, each once: under the names in its facts, and in their current state. */
export type KnownFiles = DistinctPaths & {
  /**
   * Each file under its name after all moves, including the changes to the folders above it. Folders that were
   * only deleted, moved or reverted as a whole are not included.
   */
  readonly current: readonly FileFact[]
}

export function knownFiles(index: Pick<Index, 'files' | 'commits'>): KnownFiles {
  const { files, folder } = distinctPaths(index.files)
  return { files, folder, current: withCommits(withFolders(files, folder), index.commits ?? []) }
}

/** The current state of the files of an index. */
export function currentFiles(index: Pick<Index, 'files' | 'commits'>): readonly FileFact[] {
  return knownFiles(index).current
}

/** Applies to each file the changes of the folders above it. */
function withFolders(files: readonly FileFact[], workingFolder: string | undefined): FileFact[] {
  const changed = Map.groupBy(
    files.filter((fact) => fact.deleted !== undefined || fact.reverted !== undefined),
    ({ path }) => path,
  )
  if (changed.size === 0) return [...files]
  const here = changed.get('.')
  if (workingFolder !== undefined) {
    for (const [path, facts] of [...changed]) {
      const whole = path === '.' ? workingFolder.slice(0, -1) : `${workingFolder}${path}`
      if (!isWholePath(path)) changed.set(whole, [...(changed.get(whole) ?? []), ...facts])
    }
  }
  const isAll = here !== undefined && workingFolder === undefined
  const byName = new Map(files.map((fact) => [fact.path, fact]))
  const byPath = new Map<string, FileFact>()
  const folders = new Set<FileFact>(here)
  const put = (fact: FileFact) => {
    const same = byPath.get(fact.path)
    byPath.set(fact.path, same === undefined ? fact : mergeFile(same, fact))
  }
  for (const file of files) {
    let now = file
    for (const { seq, kind, folder, above } of changesAbove(file, changed, isAll)) {
      folders.add(folder)
      if (kind === 'reverted') now = revertedFile(now, seq)
      else {
        const target = folder.to === undefined ? undefined : byName.get(folder.to)
        if (target !== undefined) folders.add(target)
        if (folder.to !== undefined && wasThere(now, seq))
          put(movedFile(now, `${folder.to}${file.path.slice(above.length)}`, seq))
        if (seq > now.seq) now = { ...now, seq, deleted: seq, access: 'deleted' }
      }
    }
    put(now)
  }
  return [...byPath.values()].filter((fact) => !folders.has(fact))
}

/** True if, according to the log, the file was in its folder when that was moved. It may have been written again since. */
function wasThere(file: FileFact, seq: Seq): boolean {
  const { deleted = seq, modified = 0, reverted = 0 } = file
  const isBack = [modified, reverted].some((change) => change > deleted && change < seq)
  return Math.min(file.seq, firstChange(file)) < seq && (deleted >= seq || isBack)
}

type FolderChange = {
  readonly seq: Seq
  readonly kind: 'deleted' | 'reverted'
  readonly folder: FileFact
  readonly above: string
}

/** The changes of the folders above a file, in order. */
function changesAbove(
  file: FileFact,
  changed: ReadonlyMap<string, readonly FileFact[]>,
  isAll: boolean,
): FolderChange[] {
  return ancestors(file.path, isAll)
    .flatMap((above) => (changed.get(above) ?? []).map((folder) => ({ above, folder })))
    .flatMap(({ above, folder }): FolderChange[] => {
      if (folder === file) return []
      const { deleted, reverted } = folder
      return [
        ...(deleted === undefined ? [] : [{ seq: deleted, kind: 'deleted' as const, folder, above }]),
        ...(reverted === undefined ? [] : [{ seq: reverted, kind: 'reverted' as const, folder, above }]),
      ]
    })
    .sort((a, b) => a.seq - b.seq)
}

/** A file that was only read has the text of git before and after. A new file is unknown to git. */
function revertedFile(file: FileFact, reverted: Seq): FileFact {
  const isTracked = file.created === undefined && file.moved === undefined
  // One that was reverted already has not changed since.
  const isChanged = lastChange(file) > 0 && lastChange(file) < reverted && file.access !== 'reverted'
  if (!isTracked || !isChanged) return file
  return { ...file, seq: Math.max(file.seq, reverted), reverted, access: 'reverted' }
}

function movedFile({ path: from, created }: FileFact, path: string, seq: Seq): FileFact {
  return { path, access: 'modified', seq, modified: seq, created, moved: seq, from }
}

/** The folders above a path, the outermost first; `.` if the working folder is unknown. */
function ancestors(path: string, isAll: boolean): string[] {
  const above: string[] = isAll || !isWholePath(path) ? ['.'] : []
  for (let slash = path.indexOf('/', 1); slash !== -1; slash = path.indexOf('/', slash + 1))
    above.push(path.slice(0, slash))
  return above
}

/** If a change was committed before git reset the file, the file still has it: git resets to that commit. */
function withCommits(files: readonly FileFact[], commits: readonly { readonly seq: Seq }[]): FileFact[] {
  if (commits.length === 0) return [...files]
  return files.map((fact) => {
    if (fact.access !== 'reverted' || fact.reverted === undefined) return fact
    const [first, last] = [fact.first ?? fact.modified, fact.reverted]
    const isCommitted = first !== undefined && commits.some(({ seq }) => seq > first && seq < last)
    return isCommitted ? { ...fact, access: 'modified' } : fact
  })
}

/** Files without duplicates, and the folder to which the relative paths belong, if the paths show it. */
type DistinctPaths = { readonly files: readonly FileFact[]; readonly folder: string | undefined }

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
  const byName = Map.groupBy(whole.keys(), baseName)
  const votes = new Map<string, number>()
  for (const { path } of relative.slice(-MOST_ASKED)) {
    for (const candidate of (byName.get(baseName(path)) ?? []).slice(0, MOST_ASKED)) {
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
