import type { Fields } from './json.ts'
import type { LogBuilder } from './log-builder.ts'

/** A line of a session that is a tree: the last line is the active leaf. */
export type TreeRow = {
  readonly id: string
  readonly parent: string | undefined
  readonly line: number
  readonly entry: Fields
}

/** The rows from the root to the last one. A parent that is missing is taken to be what stands before. */
export function activeRows(rows: readonly TreeRow[], byId: ReadonlyMap<string, TreeRow>, log: LogBuilder): TreeRow[] {
  const branch = new Set<TreeRow>()
  const places = new Map(rows.map((row, i) => [row, i]))
  for (let row = rows.at(-1); row !== undefined; ) {
    if (branch.has(row)) {
      log.issue(row.line, `the chain of parents goes in a circle through ${row.id}`)
      break
    }
    branch.add(row)
    if (row.parent === undefined) break
    const parent = byId.get(row.parent)
    if (parent === undefined)
      log.issue(row.line, `its parent ${row.parent} is not in the file; what stands before it is taken for it`)
    row = parent ?? rows[(places.get(row) ?? 0) - 1]
  }
  return [...branch].reverse()
}
