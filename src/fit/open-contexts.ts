import type { Message } from '../model/types.ts'
import type { OpenList } from './open-list.ts'

/**
 * The one place that keeps results for conversations of other owners between two calls: callers pass in the whole list each
 * time, and most of it is the same as before. A cache: saves reading every message again to count it, to find its facts and to
 * hash it. Dropped together with the message objects, by which its entries are found: a list of copies is read again, with the
 * same result.
 *
 * `fit` and `compactMessages` keep their open lists in one of these; so does each manager of an adapter.
 */
export class OpenContexts<V> {
  /** By the last message of the list. */
  readonly #known = new WeakMap<Message, KnownList<V>>()

  /** The longest known beginning of a list. */
  longest(list: readonly Message[]): KnownList<V> | undefined {
    const least = Math.max(0, list.length - MOST_NEW)
    for (let i = list.length - 1; i >= least; i--) {
      const known = this.#known.get(list[i] as Message)
      if (known?.length === i + 1 && (list === known.list || beginsWith(list, known.list, known.length))) return known
    }
    return undefined
  }

  /** Keeps the value of a list. The beginning that it was derived from is forgotten: otherwise a list of each length would be kept. */
  keep(list: readonly Message[], value: V, from?: KnownList<V>): void {
    const last = list.at(-1)
    if (last === undefined) return
    if (from !== undefined && from.length < list.length) this.#known.delete(from.list[from.length - 1] as Message)
    this.#known.set(last, { list, length: list.length, value })
  }
}

/** The lists of `fit` and `compactMessages`. */
export const contexts = new OpenContexts<OpenList>()

/** `list` may have grown in place since; `length` is its length at that time. */
export type KnownList<V> = { readonly list: readonly Message[]; readonly length: number; readonly value: V }

/** A step adds only a few messages. */
const MOST_NEW = 64

/** True if the first `length` elements of both lists are the very same. */
export function beginsWith(list: readonly unknown[], other: readonly unknown[], length = other.length): boolean {
  if (length > list.length) return false
  for (let i = 0; i < length; i++) if (list[i] !== other[i]) return false
  return true
}

/** The keys of a message. */
type MessageKeys = {
  /** The key after a prefix with the key `before`. */
  prefix?: { readonly before: string; readonly key: string }
  /** The key of the message alone. */
  content?: string
}

const keys = new WeakMap<Message, MessageKeys>()

export function keysOf(message: Message): MessageKeys {
  let known = keys.get(message)
  if (known === undefined) {
    known = {}
    keys.set(message, known)
  }
  return known
}

/** The messages, unless they are the very ones that were passed in. */
export function unlessSame(messages: readonly Message[], given: readonly Message[]): readonly Message[] | undefined {
  return messages.length === given.length && beginsWith(messages, given) ? undefined : messages
}
