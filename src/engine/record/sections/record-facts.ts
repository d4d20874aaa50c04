import type { Index, IndexDelta } from '../../../model/types.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { type KnownIndex, knownIndex } from '../../extract/known-index.ts'
import { changedBlocks } from './changed.ts'
import { type PricedBlock, pricedBlocks, type RecordBlock } from './fit-blocks.ts'
import { fromRoot, rootFolder } from './root-folder.ts'

/** The facts of a record, before it is known how much of them there is room for. */
export type RecordFacts = {
  readonly known: KnownIndex
  /** The folder that paths are relative to. */
  readonly root: string | undefined
  /** The blocks of changes … */
  readonly changed: readonly RecordBlock[]
  /** … with the prices of its lines, most of a record's work. */
  readonly priced: readonly PricedBlock[]
}

/** The facts of a record of this index. `before`: those of one with the same files, commands and commits. */
export function recordFacts(index: Index, before?: RecordFacts): RecordFacts {
  if (before !== undefined) return { ...before, known: knownIndex(index, before.known) }
  const known = knownIndex(index)
  const root = rootFolder(index.files, known.files.folder)
  const changed = changedBlocks(known.ledger, fromRoot(root))
  // By the one estimator that no model changes.
  return { known, root, changed, priced: pricedBlocks(changed, featureEstimator.text) }
}

/** True when a compaction stored the very facts about files, commands and git that are known: they were sent to a model, or tried in another length. */
export function areStored({ known }: RecordFacts, stored: IndexDelta): boolean {
  const { index } = known
  return (
    isSameList(index.files, stored.files) &&
    isSameList(index.commands, stored.commands) &&
    isSameList(index.changes, stored.changes) &&
    isSameList(index.commits, stored.commits) &&
    isSameList(index.git, stored.git)
  )
}

function isSameList(one: readonly unknown[] = [], other: readonly unknown[] = []): boolean {
  return one === other || (one.length === other.length && one.every((fact, i) => fact === other[i]))
}
