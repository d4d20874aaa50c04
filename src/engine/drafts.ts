import type { EntryOf } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import { type Index, mergeIndexes, withoutEntries } from '../model/log-index.ts'
import type { Message } from '../model/message.ts'
import type { Item, MessageItem } from '../model/view.ts'
import { frameSummary } from './frame.ts'

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
  const { entry } = draft
  const index = withoutEntries(mergeIndexes(indexesOf(draft)), redacted)
  const message = frameSummary({
    frame: entry.frame,
    summary: draft.text,
    index,
    budget: { indexTokens: entry.indexTokens, userTokens: entry.userTokens },
    messages: entry.messages,
  })
  return {
    kind: 'summary',
    seq: draft.seq,
    place: draft.place,
    from: entry.from,
    upTo: entry.upTo,
    message,
    text: draft.text,
    frame: entry.frame,
    index,
    pinned: false,
  }
}

/**
 * The items of a view while the log is folded. A compaction writes its summary into the last of the slots that it
 * empties, so that the tail is never copied.
 */
export class Drafts {
  readonly #slots: (Draft | undefined)[] = []
  readonly #slotOf = new Map<Seq, number>()
  #start = 0

  append(draft: Draft): void {
    this.#put(this.#slots.length, draft)
  }

  live(): Draft[] {
    return this.#slots.slice(this.#start).filter((draft) => draft !== undefined)
  }

  get(seq: Seq): MessageItem | undefined {
    const draft = this.#find(seq)?.draft
    return draft?.kind === 'message' ? draft : undefined
  }

  rewrite(seq: Seq, change: (message: Message) => Message): void {
    const found = this.#find(seq)
    if (found === undefined) return
    const { slot, draft } = found
    if (draft.kind === 'message') this.#slots[slot] = { ...draft, message: change(draft.message) }
    else this.#slots[slot] = { ...draft, text: changedText(draft.text, change) }
  }

  editSummary(seq: Seq, text: string): void {
    const found = this.#find(seq)
    if (found?.draft.kind === 'summary') this.#slots[found.slot] = { ...found.draft, text }
  }

  pin(seq: Seq, on: boolean): void {
    const found = this.#find(seq)
    if (found?.draft.kind === 'message') this.#slots[found.slot] = { ...found.draft, pinned: on }
  }

  drop(seq: Seq): void {
    const slot = this.#slotOf.get(seq)
    if (slot === undefined) return
    this.#slots[slot] = undefined
    this.#slotOf.delete(seq)
  }

  /** Puts a message that no entry holds behind an item; only a repair does this, and it moves what follows. */
  insertAfter(seq: Seq, message: Message, by: Seq): void {
    const found = this.#find(seq)
    if (found === undefined) return
    const at = found.slot + 1
    this.#makeRoom(at, 1)
    this.#put(at, { kind: 'message', seq: by, place: found.draft.place, message, pinned: false })
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
      this.#slots[i] = undefined
      this.#slotOf.delete(draft.seq)
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

  #find(seq: Seq): { slot: number; draft: Draft } | undefined {
    const slot = this.#slotOf.get(seq)
    const draft = slot === undefined ? undefined : this.#slots[slot]
    return slot === undefined || draft === undefined ? undefined : { slot, draft }
  }

  #put(slot: number, draft: Draft): void {
    this.#slots[slot] = draft
    this.#slotOf.set(draft.seq, slot)
  }

  #makeRoom(at: number, count: number): void {
    if (count === 0) return
    this.#slots.splice(at, 0, ...Array.from({ length: count }, () => undefined))
    for (let i = at + count; i < this.#slots.length; i++) {
      const draft = this.#slots[i]
      if (draft !== undefined) this.#slotOf.set(draft.seq, i)
    }
  }
}

function indexesOf(draft: SummaryDraft): Index[] {
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
