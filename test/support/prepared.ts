import { type CompactInput, type CompactState, contextOf, prepare } from '../../src/engine/compact/compact-state.ts'

/** A log as the rungs of a compaction get it. */
export function prepared(input: CompactInput): CompactState {
  return prepare(contextOf(input), input)
}
