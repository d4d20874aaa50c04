/**
 * Paths as lines that say each folder once: `- src/engine/: plan.ts, view.ts`. Where several folders are in one whose
 * name is long, that one has a line of its own and they are indented under it. Every name of a file is whole.
 */
export function byFolder(paths: readonly string[]): string[] {
  const groups = [...Map.groupBy(paths.toSorted(), folderOf)]
    .map(([folder, files]) => ({ folder, names: files.map((path) => path.slice(folder.length)) }))
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
  return indented(groups, 0, 0)
}

/** The folder of a path, with the slash at its end. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

type Group = { readonly folder: string; readonly names: readonly string[] }

/** Deeper than this nobody reads, and paths can have thousands of segments. */
const DEEPEST = 5

/** The lines of groups in order, the first `from` characters of their folders said before. */
function indented(groups: readonly Group[], from: number, depth: number): string[] {
  const lines: string[] = []
  for (let i = 0; i < groups.length; ) {
    const shared = depth < DEEPEST ? sharedFolder(groups, i, from) : undefined
    const first = groups[i]
    if (shared === undefined) {
      if (first !== undefined) lines.push(`${'  '.repeat(depth)}- ${lineOf(first, from)}`)
      i++
    } else {
      lines.push(`${'  '.repeat(depth)}- ${groups[i]?.folder.slice(from, shared.length)}`)
      lines.push(...indented(groups.slice(i, shared.end), shared.length, depth + 1))
      i = shared.end
    }
  }
  return lines
}

/**
 * The folder that is worth a line of its own from here on: of all beginnings of this group's folder the one that saves
 * most, said once for the groups up to `end`.
 */
function sharedFolder(
  groups: readonly Group[],
  start: number,
  from: number,
): { length: number; end: number } | undefined {
  const folder = groups[start]?.folder ?? ''
  let best: { length: number; end: number } | undefined
  let most = LEAST_SAVED
  let end = groups.length
  for (let length = nextSlash(folder, from), tried = 0; length > 0 && tried < 40; tried++) {
    const prefix = folder.slice(0, length)
    end = endOf(groups, start, end, prefix)
    const count = end - start
    if (count < 2) break
    // Each line under it is indented by two; the line itself has its own beginning and end.
    const saved = (length - from) * (count - 1) - 2 * count - 3
    if (saved > most) {
      most = saved
      best = { length, end }
    }
    length = nextSlash(folder, length)
  }
  return best
}

/** A line that saves less than this makes the list no easier to read. */
const LEAST_SAVED = 20

/** Where the groups end that begin with the prefix: they are together, because they are sorted. */
function endOf(groups: readonly Group[], start: number, before: number, prefix: string): number {
  let low = start
  let high = before
  while (low < high) {
    const middle = (low + high) >> 1
    if (groups[middle]?.folder.startsWith(prefix)) low = middle + 1
    else high = middle
  }
  return low
}

function nextSlash(folder: string, from: number): number {
  const rest = folder.slice(from).search(/[\\/]/)
  if (rest === -1) return 0
  // The root alone is no folder that says anything.
  return from + rest + 1 === 1 ? nextSlash(folder, 1) : from + rest + 1
}

function lineOf({ folder, names }: Group, from: number): string {
  const rest = folder.slice(from)
  if (rest === '') return names.join(', ')
  return names.length === 1 ? `${rest}${names[0]}` : `${rest}: ${names.join(', ')}`
}
