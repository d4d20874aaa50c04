import type { Fields } from './json.ts'
import type { LogBuilder } from './log-builder.ts'
import { type ChainLink, parentChain } from './parent-chain.ts'

/** A line of a session that is a tree: the last line is the active leaf. */
export type TreeRow = ChainLink & { readonly entry: Fields }

/** The rows from the root to the last one. */
export function activeRows(rows: readonly TreeRow[], byId: ReadonlyMap<string, TreeRow>, log: LogBuilder): TreeRow[] {
  return [...parentChain(rows.at(-1), rows, byId, log)].reverse()
}
