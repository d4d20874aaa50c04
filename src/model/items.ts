import { type Item, isLeftOutLine, isUserMessage, type Message, type Part, partsOf } from './types.ts'

/**
 * The items of a view: an immutable list that shares its storage with the lists made from it by appending, so that one more
 * message costs only its own size. For every beginning of itself it knows the values that a plan needs, because they were
 * recorded when the items were added.
 */
export class Items implements Iterable<Item> {
  readonly length: number
  /** True if no provider would refuse the list; calls at its end may wait for their results. If false, the rules have to be checked. */
  readonly isPlainlyValid: boolean
  readonly hasPinned: boolean
  /** The number of messages of the log that the records among the items stand for. */
  readonly standsFor: number
  /** The number of items at the beginning up to the last compaction that a provider made itself, with the results of its calls. */
  readonly fenced: number
  readonly #storage: Storage

  private constructor(storage: Storage) {
    this.#storage = storage
    this.length = storage.items.length
    this.isPlainlyValid = storage.isPlainlyValid
    this.hasPinned = storage.hasPinned
    this.standsFor = storage.standsFor
    this.fenced = storage.fenced
  }

  static of(items: Iterable<Item> = []): Items {
    const storage = new Storage()
    for (const item of items) storage.add(item)
    return new Items(storage)
  }

  at(index: number): Item | undefined {
    return index < this.length ? this.#storage.items[index] : undefined
  }

  slice(from = 0, to = this.length): Item[] {
    const fromEnd = (index: number) => (index < 0 ? Math.max(0, this.length + index) : Math.min(index, this.length))
    return this.#storage.items.slice(fromEnd(from), fromEnd(to))
  }

  /** The items after a list that this one was made from by appending; undefined for every other list. */
  behind(list: Items): Item[] | undefined {
    return this.sharesWith(list) && list.length <= this.length ? this.slice(list.length) : undefined
  }

  /** True for a list that has the same items as this one up to the end of the shorter. False proves nothing. */
  sharesWith(list: Items): boolean {
    return list.#storage === this.#storage
  }

  append(item: Item): Items {
    // Only the newest list may write after its end; an older one continues on a copy.
    if (this.#storage.items.length !== this.length) return Items.of([...this.slice(), item])
    this.#storage.add(item)
    return new Items(this.#storage)
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (let i = 0; i < this.length; i++) yield this.#storage.items[i] as Item
  }

  /** The index of the last message of the user among the first `count` items, or -1. */
  lastUser(count = this.length): number {
    return this.#storage.users[count] ?? -1
  }

  /** The number of calls in the first `count` items without a result there. */
  openCalls(count = this.length): number {
    return this.#storage.openCalls[count] ?? 0
  }

  /** The index of the first item that the model has not answered yet, if there are only the first `count` items. */
  unread(count = this.length): number {
    return this.#storage.unread[count] ?? 0
  }

  /** The number of the first `count` items that the provider no longer reads, because they are before its own compaction. */
  hidden(count = this.length): number {
    return this.#storage.hidden[count] ?? 0
  }
}

/** Items, and for each n the values of the first n of them, at index n of a list. */
class Storage {
  readonly items: Item[] = []
  readonly users = [-1]
  readonly openCalls = [0]
  readonly unread = [0]
  readonly hidden = [0]
  isPlainlyValid = true
  hasPinned = false
  standsFor = 0
  fenced = 0
  readonly #open = new OpenIds()
  readonly #calls: CallsSoFar = noCalls()
  /** The last place that a record covers. */
  #coveredTo = 0
  #isAnswered = false

  add(item: Item): void {
    const index = this.items.length
    const { message } = item
    this.items.push(item)
    this.users.push(isUserMessage(item) ? index : (this.users[index] as number))
    this.#noteCalls(message)
    this.openCalls.push(this.#open.size)
    this.unread.push(this.#isRead(item) ? index + 1 : (this.unread[index] as number))
    const native = nativeCompactionIn(message)
    this.hidden.push(this.#isHiddenBy(native) ? index : (this.hidden[index] as number))
    if (message.role === 'assistant') this.#isAnswered = true
    this.isPlainlyValid &&= isPlainlyValid(message, this.#calls)
    this.hasPinned ||= item.pinned
    if (item.kind === 'summary') this.standsFor += item.standsFor
    // The results of calls in the same message belong to it.
    const isResult = message.role === 'tool' && this.fenced > 0 && this.fenced === index
    if (isResult || native !== undefined) this.fenced = index + 1
  }

  /** Calls count before results: a tool that the provider ran has both in one message. */
  #noteCalls({ content }: Message): void {
    if (typeof content === 'string') return
    for (const part of content) {
      if (part.type === 'tool-call' && part.providerExecuted !== true) this.#open.add(part.toolCallId)
    }
    for (const part of content) if (part.type === 'tool-result') this.#open.delete(part.toolCallId)
  }

  /** An item in the range of a record was read: the messages after it have been compacted. Unread messages cannot be left out. */
  #isRead(item: Item): boolean {
    if (item.kind === 'summary') this.#coveredTo = Math.max(this.#coveredTo, item.upTo)
    if (item.kind === 'summary' || isLeftOutLine(item)) return true
    return item.message.role === 'assistant' || item.place <= this.#coveredTo
  }

  /** If only messages of the user come before a provider's compaction, they are read: OpenAI returns a compacted list in this form. */
  #isHiddenBy(native: Part | undefined): boolean {
    return native !== undefined && (this.#isAnswered || native.type === 'text')
  }
}

/** The ids of calls without a result. Usually there is one at a time, for which a set is slow. */
class OpenIds {
  #one: string | undefined
  readonly #others = new Set<string>()

  get size(): number {
    return this.#others.size + (this.#one === undefined ? 0 : 1)
  }

  add(id: string): void {
    if (this.#one === undefined && (this.#others.size === 0 || !this.#others.has(id))) this.#one = id
    else if (this.#one !== id) this.#others.add(id)
  }

  /** True if the id was there. */
  delete(id: string): boolean {
    if (this.#one !== id) return this.#others.delete(id)
    this.#one = undefined
    return true
  }
}

/**
 * True for a provider's own compaction of the messages before it, in the forms that the AI SDK uses. Only that provider can
 * use it, and only unchanged, before the messages that followed it.
 */
export function isNativeCompaction(part: Part): boolean {
  if (part.type === 'custom') return part.kind.endsWith('.compaction')
  return part.type === 'text' && part.providerOptions?.anthropic?.type === 'compaction'
}

/** True for a message that contains one. */
export function hasNativeCompaction(message: Message): boolean {
  return nativeCompactionIn(message) !== undefined
}

/** The first of them in a message. */
function nativeCompactionIn({ content }: Message): Part | undefined {
  if (typeof content === 'string') return undefined
  for (const part of content) if (isNativeCompaction(part)) return part
  return undefined
}

/** The calls of a list so far: all of them, and those that wait for their results. */
type CallsSoFar = { readonly taken: Set<string>; readonly open: OpenIds }

export function noCalls(): CallsSoFar {
  return { taken: new Set(), open: new OpenIds() }
}

/**
 * A quick check of the next message of a list, because nearly every list is valid. True means that it breaks no rule of a
 * provider; false only means that the rules have to be checked one by one.
 */
export function isPlainlyValid(message: Message, calls: CallsSoFar): boolean {
  // Only tool messages may come between a call and its result.
  if (message.role !== 'tool' && calls.open.size > 0) return false
  return typeof message.content === 'string' ? !isBlank(message.content) : partsAreFine(message, calls)
}

function partsAreFine(message: Message, calls: CallsSoFar): boolean {
  const parts = partsOf(message)
  const last = parts.at(-1)
  if (last === undefined || last.type === 'reasoning') return false
  for (const part of parts) if (!partIsFine(part, message.role, calls)) return false
  return true
}

function partIsFine(part: Part, role: Message['role'], { taken, open }: CallsSoFar): boolean {
  switch (part.type) {
    case 'text':
      return !isBlank(part.text)
    case 'reasoning':
      return part.providerOptions !== undefined || !isBlank(part.text)
    case 'tool-call': {
      const { toolCallId } = part
      if (taken.has(toolCallId)) return false
      taken.add(toolCallId)
      if (part.providerExecuted !== true) open.add(toolCallId)
      return true
    }
    case 'tool-result':
      return open.delete(part.toolCallId) || (role === 'assistant' && taken.has(part.toolCallId))
    default:
      return true
  }
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
