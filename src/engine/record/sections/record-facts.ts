import type { Index } from '../../../model/facts/log-index.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { type KnownIndex, knownIndex } from '../../extract/known-index.ts'
import { changedBlocks } from './changed.ts'
import { type PricedBlock, pricedBlocks, type RecordBlock } from './fit-blocks.ts'
import { fromRoot, rootFolder } from './root-folder.ts'

/** The facts of a record, before it is known how much of them there is room for. */
export type RecordFacts = {
  readonly known: KnownIndex
  /** The folder that paths are told from. */
  readonly root: string | undefined
  /** What has changed … */
  readonly changed: readonly RecordBlock[]
  /** … with the prices of its lines, most of a record's work. */
  readonly priced: readonly PricedBlock[]
}

/**
 * The facts of a record of this index. `before`: those that a model was told, or that were tried in another length: nearly
 * always the very same, but for the words around them.
 */
export function recordFacts(index: Index, before?: RecordFacts): RecordFacts {
  const isSame = before !== undefined && hasSameFacts(before.known.index, index)
  const known = knownIndex(index, isSame ? before.known : undefined)
  if (isSame) return { ...before, known }
  const root = rootFolder(index.files, known.files.folder)
  const changed = changedBlocks(known.ledger, fromRoot(root))
  // By the one estimator that no model changes.
  return { known, root, changed, priced: pricedBlocks(changed, featureEstimator.text) }
}

/** True when two indexes have the very same facts about files, commands and git: their lists are copies. */
function hasSameFacts(a: Index, b: Index): boolean {
  return (
    isSameList(a.files, b.files) &&
    isSameList(a.commands, b.commands) &&
    isSameList(a.changes, b.changes) &&
    isSameList(a.commits, b.commits) &&
    isSameList(a.git, b.git)
  )
}

function isSameList(one: readonly unknown[] = [], other: readonly unknown[] = []): boolean {
  return one === other || (one.length === other.length && one.every((fact, i) => fact === other[i]))
}
