import type { EntryOf, Squeeze } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import { type Index, type IndexDelta, mergeIndexes, withoutEntries } from '../model/log-index.ts'
import type { Message } from '../model/message.ts'
import type { Item, MessageItem, SummaryItem } from '../model/view.ts'
import { frameSummary } from './frame.ts'
import { squeezeMessage } from './rewrite-message.ts'

/** A summary before it is rendered: the indexes of the summaries it replaced are merged only for the final view. */
type SummaryDraft = {
  readonly kind: 'summary'
  readonly seq: Seq
  /** Where the item stands in the order of the log. */
  readonly place: Seq
  readonly entry: EntryOf<'compaction'>
  readonly text: string
  readonly replaced: readonly SummaryDraft[]
}
export type Draft = SummaryDraft | MessageItem

export function messageItem(entry: EntryOf<'message'>): MessageItem {
  return { kind: 'message', seq: entry.seq, place: entry.seq, message: entry.message, pinned: false }
}

/** The item of the view that a draft becomes, without what came from redacted entries. */
export function itemOf(draft: Draft, redacted: ReadonlySet<Seq>): Item {
  if (draft.kind === 'message') return draft
  const deltas = indexesOf(draft)
  const last = remembered.get(draft.entry)
  const same =
    last !== undefined && redacted.size === 0 && last.item.text === draft.text && sameItems(last.deltas, deltas)
  if (same) return last.item
  const item = summaryItem(draft, withoutEntries(mergeIndexes(deltas), redacted))
  if (redacted.size === 0) remembered.set(draft.entry, { deltas, item })
  return item
}

// The facts of a long session are merged and rendered once, not each time its log is folded.
const remembered = new WeakMap<EntryOf<'compaction'>, { deltas: readonly IndexDelta[]; item: SummaryItem }>()

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i])
}

function summaryItem({ entry, seq, place, text }: SummaryDraft, index: Index): SummaryItem {
  const { frame, messages, from, upTo, flagged = [] } = entry
  const budget = { indexTokens: entry.indexTokens, userTokens: entry.userTokens }
  const message = frameSummary({ frame, summary: text, index, budget, messages, flagged })
  return { kind: 'summary', seq, place, from, upTo, message, text, frame, index, pinned: false }
}

/**
 * The items of a view while the log is folded. A compaction writes its summary into the last of the slots that it
 * empties, so that the tail is never copied.
 */
export class Drafts {
  readonly #slots: (Draft | undefined)[] = []
  /** Where the parts of an entry are: one slot, but for results that a repair moved behind their calls. */
  readonly #slotsOf = new Map<Seq, number[]>()
  #start = 0

  append(draft: Draft): void {
    this.#put(this.#slots.length, draft)
  }

  live(): Draft[] {
    return this.#slots.slice(this.#start).filter((draft) => draft !== undefined)
  }

  get(seq: Seq): MessageItem | undefined {
    const draft = this.#slots[this.#slotsOf.get(seq)?.[0] ?? -1]
    return draft?.kind === 'message' ? draft : undefined
  }

  /** Changes every message of an entry, or the text of its summary. */
  rewrite(seq: Seq, change: (message: Message) => Message): void {
    this.#change(seq, (draft) =>
      draft.kind === 'message'
        ? { ...draft, message: change(draft.message) }
        : { ...draft, text: changedText(draft.text, change) },
    )
  }

  /** Changes the message of an entry where it was said, not what a repair moved elsewhere. */
  rewriteFirst(seq: Seq, change: (message: Message) => Message): void {
    const slot = this.#slotsOf.get(seq)?.[0]
    const draft = slot === undefined ? undefined : this.#slots[slot]
    if (slot !== undefined && draft?.kind === 'message')
      this.#slots[slot] = { ...draft, message: change(draft.message) }
  }

  squeeze(squeezes: readonly Squeeze[]): void {
    for (const { target, head, tail } of squeezes) {
      this.rewrite(target, (message) => squeezeMessage(message, target, head, tail))
    }
  }

  editSummary(seq: Seq, text: string): void {
    this.#change(seq, (draft) => (draft.kind === 'summary' ? { ...draft, text } : draft))
  }

  pin(seq: Seq, on: boolean): void {
    this.#change(seq, (draft) => (draft.kind === 'message' ? { ...draft, pinned: on } : draft))
  }

  /** Takes the message of an entry out of where it was said. */
  drop(seq: Seq): void {
    const slot = this.#slotsOf.get(seq)?.[0]
    if (slot !== undefined) this.#clear(slot, seq)
  }

  /** Puts a message of `entry` behind that of another one; only a repair does this, and it moves what follows. */
  insertAfter(seq: Seq, message: Message, entry: Seq): void {
    const slot = this.#slotsOf.get(seq)?.[0]
    const draft = slot === undefined ? undefined : this.#slots[slot]
    if (slot === undefined || draft === undefined) return
    this.#makeRoom(slot + 1, 1)
    this.#put(slot + 1, { kind: 'message', seq: entry, place: draft.place, message, pinned: false })
  }

  replaceRange(entry: EntryOf<'compaction'>): void {
    const keep = new Set(entry.keep)
    const kept: Draft[] = []
    const replaced: SummaryDraft[] = []
    let first: number | undefined
    let last = this.#start - 1
    for (let i = this.#start; i < this.#slots.length; i++) {
      const draft = this.#slots[i]
      if (draft === undefined) continue
      if (draft.place > entry.upTo) break
      if (draft.place < entry.from) continue
      first ??= i
      last = i
      if (keep.has(draft.seq)) kept.push(draft)
      else if (draft.kind === 'summary') replaced.push(draft)
      this.#clear(i, draft.seq)
    }
    const summary: SummaryDraft = {
      kind: 'summary',
      seq: entry.seq,
      place: entry.upTo,
      entry,
      text: entry.summary,
      replaced,
    }
    this.#fill(first, last, [summary, ...kept])
    this.squeeze(entry.squeezes ?? [])
  }

  /** Writes the drafts into the end of the emptied slots; with too few of them (nothing was there) they are put in. */
  #fill(first: number | undefined, last: number, drafts: readonly Draft[]): void {
    const room = first === undefined ? 0 : last - first + 1
    const missing = Math.max(0, drafts.length - room)
    this.#makeRoom(last + 1, missing)
    const at = last + 1 + missing - drafts.length
    for (const [i, draft] of drafts.entries()) this.#put(at + i, draft)
    while (this.#start < at && this.#slots[this.#start] === undefined) this.#start++
  }

  #change(seq: Seq, change: (draft: Draft) => Draft): void {
    for (const slot of this.#slotsOf.get(seq) ?? []) {
      const draft = this.#slots[slot]
      if (draft !== undefined) this.#slots[slot] = change(draft)
    }
  }

  #put(slot: number, draft: Draft): void {
    this.#slots[slot] = draft
    const others = this.#slotsOf.get(draft.seq)
    if (others === undefined) this.#slotsOf.set(draft.seq, [slot])
    // What stands where it was said comes first.
    else if (draft.place === draft.seq) others.unshift(slot)
    else others.push(slot)
  }

  #clear(slot: number, seq: Seq): void {
    this.#slots[slot] = undefined
    const others = (this.#slotsOf.get(seq) ?? []).filter((other) => other !== slot)
    if (others.length === 0) this.#slotsOf.delete(seq)
    else this.#slotsOf.set(seq, others)
  }

  #makeRoom(at: number, count: number): void {
    if (count === 0) return
    this.#slots.splice(at, 0, ...Array.from({ length: count }, () => undefined))
    for (const slots of this.#slotsOf.values()) {
      for (const [i, slot] of slots.entries()) if (slot >= at) slots[i] = slot + count
    }
  }
}

function indexesOf(draft: SummaryDraft): IndexDelta[] {
  // Not recursive: a session may have been compacted thousands of times.
  const newestFirst: SummaryDraft[] = []
  const open = [draft]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    newestFirst.push(next)
    open.push(...next.replaced)
  }
  return newestFirst.reverse().map((summary) => summary.entry.indexDelta)
}

function changedText(text: string, change: (message: Message) => Message): string {
  const changed = change({ role: 'user', content: text })
  return typeof changed.content === 'string' ? changed.content : text
}
