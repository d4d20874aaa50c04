import type { FileFact } from '../../../model/facts/log-index.ts'
import { escaped, pathLine } from '../escape.ts'
import { byFolder } from './by-folder.ts'
import { TITLE } from './index-titles.ts'

/** Files with the same access, and how they are laid out. */
export type FileList = {
  readonly title: string
  /** The name of these files in the line that counts the ones left out. */
  readonly what: string
  /** The most recently used first. */
  readonly facts: readonly FileFact[]
  readonly layout: (facts: readonly FileFact[]) => string[]
}

/** The files of an index in their present state: modified files apart from files that were only read. */
export type FileLists = { readonly modified: FileList; readonly read: FileList }

export function fileLists(current: readonly FileFact[]): FileLists {
  const files = current.toSorted((a, b) => b.seq - a.seq)
  const listed = (access: FileFact['access'], title: string, what: string): FileList => {
    const facts = files.filter((fact) => fact.access === access)
    // Laid out again and again until they fit: each name is made up once, and all of them together, who mostly fit.
    const names = new Map(facts.map((fact) => [fact, pathLine(fact.path)]))
    const layout = (some: readonly FileFact[]) =>
      byFolder(some.map((fact) => names.get(fact) ?? fact.path)).map(escaped)
    let whole: string[] | undefined
    const layoutOnce = (some: readonly FileFact[]) => {
      if (some.length < facts.length) return layout(some)
      whole ??= layout(some)
      return whole
    }
    return { title, what, facts, layout: layoutOnce }
  }
  return {
    modified: listed('modified', TITLE.modified, 'more modified files'),
    read: listed('read', TITLE.read, 'more files read'),
  }
}

/** The lines for the most recently used files that fit, and how many files did not; the cost is more than the room then. */
export function fitFiles(
  { facts, layout }: FileList,
  room: number,
  cost: (text: string) => number,
): { lines: string[]; left: number; cost: number } {
  // A long session has thousands of files: no more are looked at than could fit.
  const most = Math.min(facts.length, Math.max(0, Math.floor(room / 2)))
  const priceOf = (count: number) => costOf(layout(facts.slice(0, count)), cost)
  const whole = facts.length === 0 ? 0 : most === facts.length ? priceOf(most) : room + 1
  if (whole <= room) return { lines: layout(facts), left: 0, cost: whole }
  let fits = 0
  for (let over = most + 1; over - fits > 1; ) {
    const middle = (fits + over) >> 1
    if (priceOf(middle) <= room) fits = middle
    else over = middle
  }
  return { lines: layout(facts.slice(0, fits)), left: facts.length - fits, cost: room + 1 }
}

function costOf(lines: readonly string[], cost: (text: string) => number): number {
  return lines.reduce((sum, line) => sum + cost(line) + 1, 0)
}
