import type { Context } from '../engine/context/context.ts'
import type { Message } from '../model/message/message.ts'

/**
 * The one place where what was worked out for conversations that others own is kept between two calls: callers hand in the
 * whole list each time, and most of it is what they handed in before. A cache: saves reading every message again to count it, to
 * look for facts in it and to know it by its hash. Dropped with the messages, the very objects, by which all of it is found: a
 * list of copies is read anew, with the same result.
 *
 * `fit` and `compactMessages` keep their open Contexts in one of these; so does each manager of an adapter.
 */
export class OpenContexts<V> {
  /** By the last message of the list. */
  readonly #known = new WeakMap<Message, Beginning<V>>()

  /** The longest beginning of a list that is known. */
  longest(list: readonly Message[]): Beginning<V> | undefined {
    const least = Math.max(0, list.length - MOST_NEW)
    for (let i = list.length - 1; i >= least; i--) {
      const known = this.#known.get(list[i] as Message)
      if (known?.length === i + 1 && (list === known.list || beginsWith(list, known.list, known.length))) return known
    }
    return undefined
  }

  /** Keeps the value of a list. The beginning that it was worked out from is forgotten: a list of each length would be kept otherwise. */
  keep(list: readonly Message[], value: V, from?: Beginning<V>): void {
    const last = list.at(-1)
    if (last === undefined) return
    if (from !== undefined && from.length < list.length) this.#known.delete(from.list[from.length - 1] as Message)
    this.#known.set(last, { list, length: list.length, value })
  }
}

/** Those of `fit` and `compactMessages`. */
export const contexts = new OpenContexts<Context>()

/** The list may have grown in place since. */
type Beginning<V> = { readonly list: readonly Message[]; readonly length: number; readonly value: V }

/** A step brings a few messages. */
const MOST_NEW = 64

/** True when the first `length` elements of both lists are the very same. */
export function beginsWith(list: readonly unknown[], some: readonly unknown[], length = some.length): boolean {
  if (length > list.length) return false
  for (let i = 0; i < length; i++) if (list[i] !== some[i]) return false
  return true
}

/** Keys that were made of a message. */
type MessageKeys = {
  /** Behind a prefix with the key `before`. */
  prefix?: { readonly before: string; readonly key: string }
  /** Of the message alone. */
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
