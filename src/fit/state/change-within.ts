import type { Seq } from '../../model/types.ts'
import type { Change } from './context-state.ts'

/** The part of a change that concerns valid entries; undefined if nothing is left of it. */
export function changeWithin(change: Change, holds: (seq: Seq) => boolean): Change | undefined {
  switch (change.type) {
    case 'compaction': {
      const squeezes = change.squeezes?.filter(({ target }) => holds(target))
      return { ...change, squeezes: squeezes?.length === 0 ? undefined : squeezes }
    }
    case 'mask':
      return { ...change, targets: change.targets.filter(holds) }
    case 'squeeze':
      return { ...change, squeezes: change.squeezes.filter(({ target }) => holds(target)) }
    case 'repair': {
      const changes = change.changes.filter((step) => holds(step.seq) && (!('from' in step) || holds(step.from)))
      return changes.length === 0 ? undefined : { ...change, changes }
    }
    case 'attempt':
      return holds(change.seq) ? change : undefined
    default:
      return undefined
  }
}

/** The places that a change depends on: if a list is the same up to there, the change applies to it. */
export function placesOf(change: Change): Seq[] {
  switch (change.type) {
    case 'compaction':
      return [Math.max(change.upTo, ...change.keep), ...(change.squeezes ?? []).map(({ target }) => target)]
    case 'mask':
      return [...change.targets]
    case 'squeeze':
      return change.squeezes.map(({ target }) => target)
    case 'repair':
      return change.changes.map((step) => ('from' in step ? Math.max(step.from, step.seq) : step.seq))
    // Its reason may quote earlier messages.
    case 'attempt':
      return [change.seq]
    default:
      return []
  }
}
