import { type Dirent, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Deeper than this nobody looks, and in no more folders: a workspace may be a whole disk. */
const MOST_DEPTH = 4
const MOST_FOLDERS = 500

/** Folders that hold other people's files, or what a build makes. */
const SKIPPED = new Set(['node_modules', 'vendor', 'dist', 'build', 'target', 'out', 'coverage'])

/** Where a file of instructions may be below the workspace: on the way to the folder where the user started, and elsewhere. */
export type NestedInstructions = { readonly onTheWay: readonly string[]; readonly elsewhere: readonly string[] }

/** The files of instructions in folders of the workspace, as paths from it. */
export function nestedInstructions(workspace: string, startedIn: string): NestedInstructions {
  const way = relative(workspace, startedIn).split(sep)
  const isBelow = way[0] !== '..' && way[0] !== ''
  const onTheWay = isBelow
    ? way.flatMap((_, i) => instructionsOf(join(workspace, ...way.slice(0, i + 1)), way.slice(0, i + 1).join('/')))
    : []
  return { onTheWay, elsewhere: foundBelow(workspace).filter((path) => !onTheWay.includes(path)) }
}

/** Breadth first, so that what is left out where there are too many folders is deep down. */
function foundBelow(workspace: string): string[] {
  const found: string[] = []
  const folders = [{ path: '', depth: 0 }]
  for (let at = 0; at < Math.min(folders.length, MOST_FOLDERS); at++) {
    const { path, depth } = folders[at] ?? { path: '', depth: 0 }
    const entries = entriesOf(join(workspace, path))
    if (path !== '') found.push(...named(entries, path))
    if (depth === MOST_DEPTH) continue
    for (const entry of entries)
      if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name))
        folders.push({ path: path === '' ? entry.name : `${path}/${entry.name}`, depth: depth + 1 })
  }
  return found.toSorted()
}

function instructionsOf(folder: string, path: string): string[] {
  return named(entriesOf(folder), path)
}

/** `AGENTS.md`, or else `CLAUDE.md`, as in the workspace itself. */
function named(entries: readonly Dirent[], path: string): string[] {
  const name = NAMES.find((each) => entries.some((entry) => entry.name === each && !entry.isDirectory()))
  return name === undefined ? [] : [`${path}/${name}`]
}

const NAMES = ['AGENTS.md', 'CLAUDE.md']

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
