/**
 * Keeps a value for a list, and finds it again for a longer list, or for a copy, that begins with the very same elements. So
 * what was worked out for a list that grows costs its new elements, although each step copies the list.
 */
export class KnownBeginnings<T extends object, V> {
  /** By the last element of the list. */
  readonly #known = new WeakMap<T, Beginning<T, V>>()

  /** The longest beginning of a list that is known. `from`: the first element that its value depends on. */
  longest(list: readonly T[], from: (value: V) => number = () => 0): Beginning<T, V> | undefined {
    const least = Math.max(0, list.length - MOST_NEW)
    for (let i = list.length - 1; i >= least; i--) {
      const known = this.#known.get(list[i] as T)
      if (known?.length === i + 1 && hasBeginning(list, known, from(known.value))) return known
    }
    return undefined
  }

  /** Keeps the value of a list. The beginning that it was worked out from is forgotten: a list of each length would be kept otherwise. */
  keep(list: readonly T[], value: V, from?: Beginning<T, V>): void {
    const last = list.at(-1)
    if (last === undefined) return
    if (from !== undefined && from.length < list.length) this.#known.delete(from.list[from.length - 1] as T)
    this.#known.set(last, { list, length: list.length, value })
  }
}

/** The list may have grown in place since. */
type Beginning<T, V> = { readonly list: readonly T[]; readonly length: number; readonly value: V }

/** A step brings a few elements. */
const MOST_NEW = 64

function hasBeginning<T>(list: readonly T[], known: Beginning<T, unknown>, from: number): boolean {
  return list === known.list || beginsWith(list, known.list, known.length, from)
}

/** True when the first `length` elements of both lists are the very same, those before `from` aside. */
export function beginsWith(
  list: readonly unknown[],
  some: readonly unknown[],
  length = some.length,
  from = 0,
): boolean {
  if (length > list.length) return false
  for (let i = from; i < length; i++) if (list[i] !== some[i]) return false
  return true
}
