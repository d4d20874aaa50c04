import type { FileFact, Index } from '../../../model/log-index.ts'
import { distinctPaths } from '../../facts/distinct-paths.ts'
import { oneLine } from '../../text/one-line.ts'
import { pathLine } from '../escape.ts'
import type { RecordBlock } from './fit-blocks.ts'
import { groupedNames, type LabelledName } from './grouped-names.ts'
import { HEADING, SECTION } from './section-titles.ts'

/** Where to look: files that were read, and names by use, those of files that were changed and of the last turns first. */
export function elsewhereBlocks(index: Index, most: number, short: (text: string) => string): RecordBlock[] {
  const { files } = distinctPaths(index.files)
  return [readBlock(files, most, short), namesBlock(index, files, most)]
}

/** Files before names: a name without its file is hard to find again. */
const FILES_SHARE = 0.7
const NAMES_SHARE = 0.25

function readBlock(files: readonly FileFact[], most: number, short: (text: string) => string): RecordBlock {
  const changed = new Set(files.filter(({ access }) => access !== 'read').map(({ path }) => folderOf(path)))
  const read = files.filter(({ access }) => access === 'read')
  const names = read.map(({ path, seq }): LabelledName => {
    const line = pathLine(short(path))
    const folder = folderOf(line)
    const near = changed.has(folderOf(path)) ? NEAR : 0
    return { label: folder, name: line.slice(folder.length), priority: seq + near }
  })
  const { snippets, layout } = groupedNames(names)
  return {
    section: SECTION.elsewhere,
    heading: HEADING.read,
    snippets,
    levels: 1,
    tier: 3,
    least: 0,
    share: 10,
    most: Math.floor(most * FILES_SHARE),
    what: 'more files read',
    layout,
  }
}

/** A file next to one that was changed counts as if it had been read this many entries later. */
const NEAR = 100

function namesBlock(index: Index, files: readonly FileFact[], most: number): RecordBlock {
  const changed = new Set(files.filter(({ access }) => access !== 'read').map(({ path }) => path))
  const told = new Set(files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))
  const weighed = (index.seen ?? [])
    // A name that only a listing, a build or another command printed is rarely used again.
    .filter(({ path, used }) => path !== undefined || used === true)
    .map((fact) => ({
      fact,
      weight: fact.seq + (fact.used === true ? USED : 0) + (isIn(changed, fact.path) ? CHANGED : 0),
    }))
  const names = new Map<string, LabelledName>()
  // Where none will be shown it is enough to know that there are some, whichever they are.
  for (const { fact, weight } of most === 0 ? weighed : weighed.sort((a, b) => b.weight - a.weight)) {
    if (names.size >= (most === 0 ? 1 : MOST_NAMES)) break
    const label = fact.path === undefined ? '' : pathLine(fact.path.split(/[\\/]/).slice(-2).join('/'))
    for (const [i, seen] of fact.names.entries()) {
      const name = oneLine(seen, 120)
      if (!told.has(name) && !names.has(name)) names.set(name, { label, name, priority: weight - i / 1_000 })
    }
  }
  const { snippets, layout } = groupedNames([...names.values()])
  return {
    section: SECTION.elsewhere,
    heading: HEADING.names,
    snippets,
    levels: 1,
    tier: 4,
    least: 0,
    share: 6,
    most: Math.floor(most * NAMES_SHARE),
    layout,
  }
}

function isIn(paths: ReadonlySet<string>, path: string | undefined): boolean {
  return path !== undefined && paths.has(path)
}

const USED = 200
const CHANGED = 400
/** More than any record has room for. */
const MOST_NAMES = 600

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
