/** The lists in which each fact stands once already, with how many they had then: the facts of a single span are merged several times. */
const merged = new WeakMap<readonly unknown[], number>()

/** Remembers that a list is merged. */
export function asMerged<F>(list: F[]): F[] {
  merged.set(list, list.length)
  return list
}

/** A copy of a list that was merged before, for its owner may add to it. */
export function copyOfMerged<F>(list: readonly F[]): F[] | undefined {
  return merged.get(list) === list.length ? asMerged([...list]) : undefined
}
