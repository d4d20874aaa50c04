import type { Fields } from './json.ts'
import type { LogBuilder } from './log-builder.ts'

/** A line of a session that is a tree. */
type ChainLink = { readonly id: string; readonly parent: string | undefined; readonly line: number }

/** A line and its parents up to the root. If a parent is missing, the line before it is used. */
export function parentChain<T extends ChainLink>(
  leaf: T | undefined,
  rows: readonly T[],
  byId: ReadonlyMap<string, T>,
  log: LogBuilder,
): Set<T> {
  const chain = new Set<T>()
  let places: Map<T, number> | undefined
  for (let row = leaf; row !== undefined; ) {
    if (chain.has(row)) {
      log.issue(row.line, `the chain of parents goes in a circle through ${row.id}`)
      break
    }
    chain.add(row)
    if (row.parent === undefined) break
    const parent = byId.get(row.parent)
    if (parent !== undefined) row = parent
    else {
      log.issue(row.line, `its parent ${row.parent} is not in the file; what stands before it is taken for it`)
      places ??= new Map(rows.map((each, i) => [each, i]))
      row = rows[(places.get(row) ?? 0) - 1]
    }
  }
  return chain
}

/** A line of a session that is a tree: the last line is the active leaf. */
export type TreeRow = ChainLink & { readonly entry: Fields }

/** The rows from the root to the last one. */
export function activeRows(rows: readonly TreeRow[], byId: ReadonlyMap<string, TreeRow>, log: LogBuilder): TreeRow[] {
  return [...parentChain(rows.at(-1), rows, byId, log)].reverse()
}
