import type { FileFact, SeenNames } from '../../../model/facts/log-index.ts'
import { oneLine } from '../../../model/text/one-line.ts'
import type { KnownIndex } from '../../extract/known-index.ts'
import type { Snippet } from '../digest/render-within.ts'
import { escaped, pathLine } from '../escape.ts'
import type { RecordBlock } from './fit-blocks.ts'
import { HEADING, SECTION } from './section-titles.ts'

/** Where to look: files that were read, and names by use, those of files that were changed and of the last turns first. */
export function elsewhereBlocks(
  { index, files: { files } }: KnownIndex,
  most: number,
  short: (text: string) => string,
): RecordBlock[] {
  return [readBlock(files, most, short), namesBlock(index.seen ?? [], files, most)]
}

/** Files before names: a name without its file is hard to find again. */
const FILES_SHARE = 0.7
const NAMES_SHARE = 0.25

function readBlock(files: readonly FileFact[], most: number, short: (text: string) => string): RecordBlock {
  const read = files.filter(({ access }) => access === 'read')
  return {
    section: SECTION.elsewhere,
    heading: HEADING.read,
    levels: 1,
    tier: 3,
    least: 0,
    share: 10,
    most: Math.floor(most * FILES_SHARE),
    what: 'more files read',
    ...(most === 0 ? unshown(read.length) : groupedNames(fileNames(files, read, short))),
  }
}

/** Names of which none has room: it is enough to know how many there are. */
function unshown(leftOut: number): Pick<RecordBlock, 'snippets' | 'leftOut'> {
  return { snippets: [], leftOut }
}

function fileNames(
  files: readonly FileFact[],
  read: readonly FileFact[],
  short: (text: string) => string,
): LabelledName[] {
  const changed = new Set(files.filter(({ access }) => access !== 'read').map(({ path }) => folderOf(path)))
  return read.map(({ path, seq }) => {
    const line = pathLine(short(path))
    const folder = folderOf(line)
    const near = changed.has(folderOf(path)) ? NEAR : 0
    return { label: folder, name: line.slice(folder.length), priority: seq + near }
  })
}

/** A file next to one that was changed counts as if it had been read this many entries later. */
const NEAR = 100

function namesBlock(all: readonly SeenNames[], files: readonly FileFact[], most: number): RecordBlock {
  const told = new Set(files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))
  // A name that only a listing, a build or another command printed is rarely used again.
  const seen = all.filter(({ path, used }) => path !== undefined || used === true)
  const hasSome = () => seen.some((fact) => fact.names.some((name) => !told.has(nameLine(name))))
  return {
    section: SECTION.elsewhere,
    heading: HEADING.names,
    levels: 1,
    tier: 4,
    least: 0,
    share: 6,
    most: Math.floor(most * NAMES_SHARE),
    ...(most === 0 ? unshown(hasSome() ? 1 : 0) : groupedNames(likeliestNames(seen, files, told))),
  }
}

function likeliestNames(
  seen: readonly SeenNames[],
  files: readonly FileFact[],
  told: ReadonlySet<string>,
): LabelledName[] {
  const changed = new Set(files.filter(({ access }) => access !== 'read').map(({ path }) => path))
  const weighed = seen.map((fact) => ({
    fact,
    weight: fact.seq + (fact.used === true ? USED : 0) + (isIn(changed, fact.path) ? CHANGED : 0),
  }))
  const names = new Map<string, LabelledName>()
  for (const { fact, weight } of weighed.sort((a, b) => b.weight - a.weight)) {
    if (names.size >= MOST_NAMES) break
    const label = fact.path === undefined ? '' : pathLine(fact.path.split(/[\\/]/).slice(-2).join('/'))
    for (const [i, written] of fact.names.entries()) {
      const name = nameLine(written)
      if (!told.has(name) && !names.has(name)) names.set(name, { label, name, priority: weight - i / 1_000 })
    }
  }
  return [...names.values()]
}

function nameLine(name: string): string {
  return oneLine(name, 120)
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

/** A name under a label, such as a file in its folder; the higher priority is shown first when there is little room. */
type LabelledName = { readonly label: string; readonly name: string; readonly priority: number }

/**
 * Names as snippets, and the lines that say each label once: `- src/engine/: plan.ts, view.ts`. The first name of a label,
 * by priority, pays for the label.
 */
function groupedNames(names: readonly LabelledName[]): {
  readonly snippets: readonly Snippet[]
  readonly layout: (lines: readonly string[]) => string[]
} {
  const labelled = new Set<string>()
  const byLine = new Map<string, LabelledName>()
  const snippets = names
    .toSorted((a, b) => b.priority - a.priority)
    .map((one): Snippet => {
      const isFirst = !labelled.has(one.label)
      labelled.add(one.label)
      // The comma that will stand between two names is counted with the second.
      const line = isFirst ? `- ${one.label}: ${one.name}` : `${one.name},`
      byLine.set(line, one)
      return { priority: one.priority, render: () => line }
    })
  const layout = (lines: readonly string[]) => {
    const shown = lines.flatMap((line) => byLine.get(line) ?? [])
    const groups = [...Map.groupBy(shown, ({ label }) => label)].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return groups.map(([label, some]) =>
      escaped(
        `- ${labelText(
          label,
          some.map(({ name }) => name),
        )}`,
      ),
    )
  }
  return { snippets, layout }
}

function labelText(label: string, names: readonly string[]): string {
  if (label === '') return names.join(', ')
  if (names.length === 1 && label.endsWith('/')) return `${label}${names[0]}`
  return `${label}: ${names.join(', ')}`
}
