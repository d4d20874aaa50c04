/**
 * The lists that were merged, each with its length then: the facts of one span are merged several times. A list that somebody
 * has added to is merged again.
 */
const merged = new WeakMap<readonly unknown[], number>()

/** Remembers that a list is merged. */
export function asMerged<F>(list: F[]): F[] {
  merged.set(list, list.length)
  return list
}

/** A copy of a list that was merged before, because its owner may add to the result. Undefined when it has to be merged. */
export function copyOfMerged<F>(list: readonly F[]): F[] | undefined {
  return merged.get(list) === list.length ? asMerged([...list]) : undefined
}
