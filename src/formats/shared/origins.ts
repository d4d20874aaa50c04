import type { Message, Part } from '../../model/types.ts'
import { isPlainObject, sameData } from '../../model/values.ts'
import { fields, list } from './json.ts'

/** A part of a message; a message whose content is a bare text, or nothing, is one itself. */
type Leaf = Part | Message

/** The leaves that an item was read as, with a copy of each as it was then. */
type Run = { readonly item: object; readonly leaves: readonly Leaf[]; readonly copies: readonly unknown[] }

/** A stretch of a list: an unchanged item, or a message that has to be written. */
export type Stretch<Item> = { readonly item: Item } | { readonly message: Message }

/**
 * Remembers the items of another SDK's list that our messages were read from. An unchanged item is written as the original object,
 * with all its fields that we do not know. Each format has its own memory, because only its own SDK can use an item.
 */
export class Origins<Item extends object> {
  readonly #runs = new WeakMap<Leaf, Run>()
  readonly #blocks = new WeakMap<Leaf, { readonly block: object; readonly copy: unknown }>()

  /** Notes that these messages were read from an item. */
  noteItem(item: object, messages: readonly Message[]): void {
    this.noteLeaves(item, leavesOf(messages))
  }

  /** The same for an item that is a part of a message. */
  noteLeaves(item: object, leaves: readonly Leaf[]): void {
    const run: Run = { item, leaves, copies: leaves.map(copyOf) }
    for (const leaf of leaves) this.#runs.set(leaf, run)
  }

  /** Notes that this part was read from a block inside an item. */
  noteBlock(block: object, part: Part): void {
    this.#blocks.set(part, { block, copy: copyOf(part) })
  }

  /** The block that a part was read from, while the part is as it was. */
  blockOf<Block>(part: Part): Block | undefined {
    const known = this.#blocks.get(part)
    return known !== undefined && sameData(part, known.copy) ? (known.block as Block) : undefined
  }

  /** The item that a leaf was read from, even if its other leaves have changed. */
  itemOf(leaf: Leaf): Item | undefined {
    return this.#runs.get(leaf)?.item as Item | undefined
  }

  /** A list in stretches, in its order. */
  stretchesOf(messages: readonly Message[]): Stretch<Item>[] {
    const found: Stretch<Item>[] = []
    const leaves = leavesOf(messages)
    const owners = messages.flatMap((message) => leavesOf([message]).map(() => message))
    let rest: { message: Message; from: number } | undefined
    for (let at = 0; at <= leaves.length; at++) {
      const run = at < leaves.length ? this.#wholeRun(leaves, at) : undefined
      const owner = owners[at]
      if (rest !== undefined && (run !== undefined || owner !== rest.message)) {
        found.push({ message: partOf(rest.message, leaves.slice(rest.from, at)) })
        rest = undefined
      }
      if (run !== undefined) {
        found.push({ item: run.item as Item })
        at += run.leaves.length - 1
      } else if (owner !== undefined) rest ??= { message: owner, from: at }
    }
    return found
  }

  #wholeRun(leaves: readonly Leaf[], at: number): Run | undefined {
    const run = this.#runs.get(leaves[at] as Leaf)
    const isWhole = run?.leaves.every((leaf, i) => leaf === leaves[at + i] && sameData(leaf, run.copies[i]))
    return isWhole === true ? run : undefined
  }
}

function leavesOf(messages: readonly Message[]): Leaf[] {
  return messages.flatMap((message): readonly Leaf[] =>
    typeof message.content === 'string' || message.content.length === 0 ? [message] : message.content,
  )
}

/** The message with only these of its parts. */
function partOf(message: Message, leaves: readonly Leaf[]): Message {
  return leaves[0] === message || leaves.length === message.content.length
    ? message
    : ({ ...message, content: leaves } as Message)
}

/** A copy of plain data. Texts are shared, and so are values that are not plain, such as bytes. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copyOf(one)]))
    : value
}

/** A message, or a part of one, that is no longer in a list. `index` and `part` are its position before. */
export type RemovedPart = { readonly index: number; readonly part?: number; readonly value: unknown }

/**
 * The messages and parts of a list that another list, made from it, no longer has: they were summarised, shortened, or have no
 * form there. Parts that stayed are the same objects in both.
 */
export function removedParts(before: readonly unknown[], after: readonly unknown[]): RemovedPart[] {
  const sent = new Set<unknown>(after.flatMap((item) => [item, ...partsIn(item), ...textsIn(item)]))
  return before.flatMap((item, index): RemovedPart[] => {
    if (sent.has(item)) return []
    const parts = partsIn(item)
    if (parts.length === 0) return textsIn(item).some((words) => sent.has(words)) ? [] : [{ index, value: item }]
    return parts.flatMap((value, part) => (sent.has(value) ? [] : [{ index, part, value }]))
  })
}

function partsIn(item: unknown): readonly unknown[] {
  const { content, parts, tool_calls } = fields(item) ?? {}
  return [...list(content), ...list(parts), ...list(tool_calls)]
}

/** Texts are compared by value, because a text may have moved next to other parts. */
function textsIn(item: unknown): string[] {
  const content = fields(item)?.content
  const texts = typeof content === 'string' ? [content] : list(content).map((part) => fields(part)?.text)
  return texts.filter((words): words is string => typeof words === 'string')
}
