import type { EntryOf, Message, MessageItem, Seq, Squeeze } from '../../../model/types.ts'
import { typedIn } from '../../extract/text/typed-words.ts'
import { plainItem } from './plain-view.ts'
import { isInRange, replacedBy } from './replaced-range.ts'
import { nameRaw, redactMessage, squeezeMessage, squeezePieces } from './rewrite-message.ts'
import { isOfLines, REDACTED_SUMMARY, summariesIn, type UnrenderedSummary } from './summary-item.ts'

/** An item of the view while the log is folded. */
export type ListItem = UnrenderedSummary | MessageItem

/**
 * The items of a view while the log is folded. A change costs only as much as it touches, so a log with thousands of repairs,
 * masks and compactions is still read in linear time.
 */
export class ItemList {
  /** The slots up to the end of the last compaction. A compaction builds this part again. */
  #front: Slot[] = []
  /** All slots of messages; those from `#next` on are not in the front yet. */
  readonly #messages: Slot[] = []
  /** Messages without a slot. Most logs end in many that no later entry changes. */
  #untouched: MessageItem[] = []
  #next = 0
  /** The slots of each entry; `#noted` messages have one so far. Many logs never refer to an earlier entry. */
  readonly #slotsOf = new Map<Seq, Slot[]>()
  #noted = 0
  readonly #shortened: Shortener

  constructor(shortened: Shortener = shortenedBy) {
    this.#shortened = shortened
  }

  append(item: MessageItem): void {
    this.#untouched.push(item)
  }

  items(): ListItem[] {
    const items: ListItem[] = []
    for (const slot of this.#front) addItems(slot, items)
    for (let i = this.#next; i < this.#messages.length; i++) addItems(this.#messages[i] as Slot, items)
    return items.length === 0 ? this.#untouched : items.concat(this.#untouched)
  }

  get(seq: Seq): MessageItem | undefined {
    const item = this.#first(seq)?.item
    return item?.kind === 'message' ? item : undefined
  }

  /** Changes every message of an entry, or the text of its summary. The user's words in it are still known. */
  rewrite(seq: Seq, change: (message: Message) => Message): void {
    this.#change(seq, (item) =>
      item.kind === 'message'
        ? rewritten(item, change(item.message))
        : { ...item, text: changedText(item.text, change) },
    )
  }

  /** Removes every text of an entry. */
  redact(seq: Seq): void {
    this.#change(seq, (item) =>
      item.kind === 'message'
        ? { ...item, message: redactMessage(item.message), userWords: undefined, calls: undefined }
        : redactedSummary(item),
    )
  }

  /** Changes the message of an entry at its own place, not the results that a repair moved elsewhere. */
  rewriteFirst(seq: Seq, change: (message: Message) => Message): void {
    const slot = this.#first(seq)
    if (slot?.item?.kind === 'message') slot.item = { ...slot.item, message: change(slot.item.message) }
  }

  /** `isBack`: true for a message that was put back later, which stays whole. */
  squeeze(squeezes: readonly Squeeze[], isBack: Stays): void {
    for (const squeeze of squeezes) {
      const { target } = squeeze
      if (!isBack(target)) this.rewrite(target, (message) => this.#shortened(squeeze, message, target))
    }
  }

  editSummary(seq: Seq, text: string): void {
    this.#change(seq, (item) => (item.kind === 'summary' ? { ...item, text } : item))
  }

  /**
   * A summary may repeat an entry that is redacted later. Words that somebody wrote are replaced; lines from the log and facts
   * are filtered by the entries that they come from. Returns the summaries whose words are gone: later records may quote them.
   */
  redactSummaries(target: Seq): Seq[] {
    const gone: Seq[] = []
    for (const slot of this.#front) {
      const { item } = slot
      if (item?.kind !== 'summary' || !isInRange(item.entry, target)) continue
      for (const one of summariesIn(item)) if (isWritten(one) && isInRange(one.entry, target)) gone.push(one.seq)
      if (isWritten(item) || !isOfLines(item.entry)) slot.item = { ...item, text: REDACTED_SUMMARY }
    }
    return gone
  }

  pin(seq: Seq, on: boolean): void {
    this.#change(seq, (item) => (item.kind === 'message' ? { ...item, pinned: on } : item))
  }

  /** Removes the message of an entry from its own place. */
  drop(seq: Seq): void {
    const slot = this.#first(seq)
    if (slot !== undefined) slot.item = undefined
  }

  /** Inserts a tool result, a part of the entry `seq`, after the message of the entry `call`. */
  insertResult(call: Seq, message: Message, seq: Seq, userWords?: MessageItem['userWords']): void {
    const found = this.#first(call)
    if (found === undefined) return
    const after = found.after ?? found
    const { place } = after
    const slot = newSlot({ kind: 'message', seq, place, message, pinned: false, userWords }, after)
    after.results ??= { added: [], moved: [] }
    after.results[seq === place ? 'added' : 'moved'].push(slot)
    this.#note(slot)
  }

  /** Replaces a range with a summary. After it come the items of the range that the compaction keeps or that were put back. */
  replaceRange(entry: EntryOf<'compaction'>, isBack: Stays): void {
    const { seq, from, upTo: place, summary: text } = entry
    const { start, end } = this.#reach(from, place)
    const reached = this.#front.slice(start, end)
    const range = reached.filter((slot) => isInRange(entry, slot.place))
    const replaced = takeOut(range, replacedBy(entry, isBack))
    const summary = newSlot({ kind: 'summary', seq, place, entry, text, replaced })
    const before = reached.filter((slot) => !isInRange(entry, slot.place))
    const kept = range.filter((slot) => slot.item !== undefined || slot.results !== undefined)
    for (const slot of [...before, summary, ...kept]) this.#note(slot)
    this.#front = [...this.#front.slice(0, start), ...before, summary, ...kept, ...this.#front.slice(end)]
    this.squeeze(entry.squeezes ?? [], isBack)
  }

  /** Extends the front to the end of a range, and returns where the range begins and ends in the front. */
  #reach(from: Seq, upTo: Seq): { start: number; end: number } {
    this.#touch()
    for (; this.#next < this.#messages.length; this.#next++) {
      const slot = this.#messages[this.#next] as Slot
      if (slot.place > upTo) break
      if (slot.place < from) this.#note(slot)
      this.#front.push(slot)
    }
    let start = 0
    while (start < this.#front.length && (this.#front[start] as Slot).place < from) start++
    let end = start
    while (end < this.#front.length && (this.#front[end] as Slot).place <= upTo) end++
    return { start, end }
  }

  #change(seq: Seq, change: (item: ListItem) => ListItem): void {
    for (const slot of this.#slots(seq)) if (slot.item !== undefined) slot.item = change(slot.item)
  }

  /** The slot at the entry's own place, or else one of the results that came with it. */
  #first(seq: Seq): Slot | undefined {
    const slots = this.#slots(seq)
    while (slots.length > 0 && slots[0]?.item === undefined) slots.shift()
    return slots[0]
  }

  /** The slots of an entry: one, unless a repair added results to it or moved some elsewhere. */
  #slots(seq: Seq): Slot[] {
    this.#touch()
    for (let i = Math.max(this.#noted, this.#next); i < this.#messages.length; i++)
      this.#note(this.#messages[i] as Slot)
    this.#noted = this.#messages.length
    return this.#slotsOf.get(seq) ?? []
  }

  /** Gives every message a slot, because an entry changes one of them. */
  #touch(): void {
    for (const item of this.#untouched) this.#messages.push(newSlot(item))
    this.#untouched = []
  }

  #note(slot: Slot): void {
    if (slot.noted || slot.item === undefined) return
    slot.noted = true
    const { seq, place } = slot.item
    const slots = this.#slotsOf.get(seq)
    if (slots === undefined) this.#slotsOf.set(seq, [slot])
    else if (place === seq && slots[0]?.place !== seq) slots.unshift(slot)
    else slots.push(slot)
  }
}

export function messageItem(entry: EntryOf<'message'>, shortened: Shortener = shortenedBy): MessageItem {
  const { shown, message, seq } = entry
  const item = plainItem(entry)
  return shown === undefined ? item : rewritten(item, shortened(shown, message, seq))
}

/** A shortened message is one text. It no longer shows where its parts began, and so who wrote which, so the user's words are stored. */
function rewritten(item: MessageItem, message: Message): MessageItem {
  if (message === item.message || message.role !== 'user' || item.userWords !== undefined) return { ...item, message }
  const text = typedIn(item)
  return { ...item, message, userWords: text === '' ? [] : [{ text }] }
}

/** Shortens the message of an entry. */
export type Shortener = (by: Omit<Squeeze, 'target'> & Shown, message: Message, seq: Seq) => Message

type Shown = NonNullable<EntryOf<'message'>['shown']>

export const shortenedBy: Shortener = ({ head, tail, pieces, raw }, message, seq) => {
  const short = pieces === undefined ? squeezeMessage(message, seq, head, tail) : squeezePieces(message, seq, pieces)
  return raw === undefined ? short : nameRaw(short, seq, raw)
}

/** Whether a message stays. */
type Stays = (seq: Seq) => boolean

/** Whether a compaction takes an item out. */
type IsOut = ReturnType<typeof replacedBy>

/** A place in the list. It has no item if an entry removed it. */
type Slot = {
  readonly place: Seq
  item: ListItem | undefined
  /** The tool results that repairs inserted after the item. */
  results: Results | undefined
  /** The slot that this result follows. */
  readonly after: Slot | undefined
  /** True if `#slotsOf` has it. */
  noted: boolean
}

/** In the view the added results come first, then the moved ones, the newest first. */
type Results = { readonly added: Slot[]; readonly moved: Slot[] }

function newSlot(item: ListItem, after?: Slot): Slot {
  return { place: item.place, item, results: undefined, after, noted: false }
}

function addItems({ item, results }: Slot, items: ListItem[]): void {
  if (item !== undefined) items.push(item)
  if (results === undefined) return
  for (const slot of results.added) if (slot.item !== undefined) items.push(slot.item)
  for (const slot of results.moved.toReversed()) if (slot.item !== undefined) items.push(slot.item)
}

function hasItem({ item }: Slot): boolean {
  return item !== undefined
}

/** Removes items from slots, and returns the summaries among them. */
function takeOut(slots: readonly Slot[], isOut: IsOut): UnrenderedSummary[] {
  const summaries: UnrenderedSummary[] = []
  for (const slot of slots) {
    if (slot.results !== undefined) slot.results = keptResults(slot.results, isOut)
    if (slot.item === undefined || !isOut(slot.item.seq, slot.place)) continue
    if (slot.item.kind === 'summary') summaries.push(slot.item)
    slot.item = undefined
  }
  return summaries
}

function keptResults({ added, moved }: Results, isOut: IsOut): Results | undefined {
  takeOut(added, isOut)
  takeOut(moved, isOut)
  const kept = { added: added.filter(hasItem), moved: moved.filter(hasItem) }
  return kept.added.length + kept.moved.length === 0 ? undefined : kept
}

/** True if a model or the user wrote the words. Those of a digest may be unread, and replaced for that reason alone. */
function isWritten({ entry, text }: UnrenderedSummary): boolean {
  return entry.rung !== 'digest' || (text !== entry.summary && text !== REDACTED_SUMMARY)
}

/** As the store keeps it after the same redaction. */
function redactedSummary(item: UnrenderedSummary): UnrenderedSummary {
  const text = changedText(item.text, redactMessage)
  return {
    ...item,
    text,
    entry: { ...item.entry, summary: text, parts: undefined, flagged: undefined, indexDelta: {} },
  }
}

function changedText(text: string, change: (message: Message) => Message): string {
  const changed = change({ role: 'user', content: text })
  return typeof changed.content === 'string' ? changed.content : text
}
