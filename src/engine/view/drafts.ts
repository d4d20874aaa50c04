import type { EntryOf, Squeeze } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import { type Index, mergeIndexes, withoutEntries } from '../../model/log-index.ts'
import type { Message } from '../../model/message.ts'
import type { Item, MessageItem, SummaryItem } from '../../model/view.ts'
import { frameSummary } from '../record/frame.ts'
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
  const { seq, shown, files } = entry
  const message = shown === undefined ? entry.message : squeezeMessage(entry.message, seq, shown.head, shown.tail)
  const item: MessageItem = { kind: 'message', seq, place: seq, message, pinned: false }
  return files === undefined ? item : { ...item, files }
}

/** The item of the view that a draft becomes, without what came from redacted entries. */
export function itemOf(draft: Draft, redacted: ReadonlySet<Seq>): Item {
  if (draft.kind === 'message') return draft
  const made: Made = { text: draft.text, sources: sourcesOf(draft), redacted: [...redacted] }
  const known = remembered.get(draft.entry)
  if (known !== undefined && isSame(known, made)) return known.item
  const index = withoutEntries(mergeIndexes(made.sources.map((entry) => entry.indexDelta)), redacted)
  const item = summaryItem(draft, index)
  remembered.set(draft.entry, { ...made, item })
  return item
}

/** What a summary's item is made of. */
export type Made = {
  readonly text: string
  /** The compactions behind it, itself the last. */
  readonly sources: readonly EntryOf<'compaction'>[]
  readonly redacted: readonly Seq[]
}

/** A live summary of a log, before it is an item. */
export type LiveSummary = Made & { readonly entry: EntryOf<'compaction'>; readonly place: Seq }

/** What the item of a live summary was made of. */
export function liveSummary(draft: Draft, redacted: ReadonlySet<Seq>): LiveSummary | undefined {
  if (draft.kind === 'message') return undefined
  const { entry, place, text } = draft
  return { entry, place, text, sources: sourcesOf(draft), redacted: [...redacted] }
}

/** Tells the fold what it would come to for a summary, so that it need not merge and render its facts. */
export function rememberItem(entry: EntryOf<'compaction'>, made: Made, item: SummaryItem): void {
  remembered.set(entry, { ...made, item })
}

// The facts of a long session are merged and rendered once, not each time its log is folded.
const remembered = new WeakMap<EntryOf<'compaction'>, Made & { item: SummaryItem }>()

function isSame(a: Made, b: Made): boolean {
  return a.text === b.text && sameItems(a.sources, b.sources) && sameItems(a.redacted, b.redacted)
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i])
}

function summaryItem({ entry, seq, place, text }: SummaryDraft, index: Index): SummaryItem {
  const { frame, messages, from, upTo, flagged = [] } = entry
  const { indexTokens, userTokens, nameTokens, recordCharacters } = entry
  const characters = recordCharacters === undefined ? {} : { characters: recordCharacters - text.length - 2 }
  const budget = { indexTokens, userTokens, ...(nameTokens === undefined ? {} : { nameTokens }), ...characters }
  const message = frameSummary({ frame, summary: text, index, budget, messages, flagged })
  return { kind: 'summary', seq, place, from, upTo, message, text, frame, index, pinned: false }
}

/** What stands for the words of a summary that covers a redacted entry. */
export const REDACTED_SUMMARY =
  '[this summary covered an entry that the user redacted; the facts below come from the log]'

type Node = { draft: Draft; before: Node | undefined; after: Node | undefined }

/**
 * The items of a view while the log is folded: a linked list, so that every change costs what it touches. What was
 * appended since the last change is not linked yet, for most logs end without another one.
 */
export class Drafts {
  #first: Node | undefined
  #last: Node | undefined
  /** Where the parts of an entry are: one node, but for results that a repair moved behind their calls. */
  readonly #nodesOf = new Map<Seq, Node[]>()
  #unlinked: Draft[] = []

  append(draft: Draft): void {
    this.#unlinked.push(draft)
  }

  live(): Draft[] {
    if (this.#first === undefined) return this.#unlinked
    const drafts: Draft[] = []
    for (let node: Node | undefined = this.#first; node !== undefined; node = node.after) drafts.push(node.draft)
    for (const draft of this.#unlinked) drafts.push(draft)
    return drafts
  }

  get(seq: Seq): MessageItem | undefined {
    const draft = this.#nodes(seq)[0]?.draft
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
    const node = this.#nodes(seq)[0]
    if (node?.draft.kind === 'message') node.draft = { ...node.draft, message: change(node.draft.message) }
  }

  squeeze(squeezes: readonly Squeeze[]): void {
    for (const { target, head, tail } of squeezes) {
      this.rewrite(target, (message) => squeezeMessage(message, target, head, tail))
    }
  }

  editSummary(seq: Seq, text: string): void {
    this.#change(seq, (draft) => (draft.kind === 'summary' ? { ...draft, text } : draft))
  }

  /** A summary of a range in which something was redacted later may tell of it: its words go, its facts are filtered. */
  redactSummaries(target: Seq): void {
    this.#linkAll()
    for (let node = this.#first; node !== undefined; node = node.after) {
      const { draft } = node
      if (draft.kind !== 'summary' || target < draft.entry.from || target > draft.entry.upTo) continue
      node.draft = { ...draft, text: REDACTED_SUMMARY }
    }
  }

  pin(seq: Seq, on: boolean): void {
    this.#change(seq, (draft) => (draft.kind === 'message' ? { ...draft, pinned: on } : draft))
  }

  /** Takes the message of an entry out of where it was said. */
  drop(seq: Seq): void {
    const node = this.#nodes(seq)[0]
    if (node !== undefined) this.#unlink(node)
  }

  /** Puts a message of `entry` behind that of another one; only a repair does this. */
  insertAfter(seq: Seq, message: Message, entry: Seq): void {
    const node = this.#nodes(seq)[0]
    if (node === undefined) return
    this.#link({ kind: 'message', seq: entry, place: node.draft.place, message, pinned: false }, node)
  }

  /** Puts a summary in the place of a range, and behind it what the compaction keeps of that. */
  replaceRange(entry: EntryOf<'compaction'>): void {
    this.#linkAll()
    const keep = new Set(entry.keep)
    const kept: Draft[] = []
    const replaced: SummaryDraft[] = []
    let before: Node | undefined
    for (let node = this.#first; node !== undefined && node.draft.place <= entry.upTo; node = node.after) {
      const { draft } = node
      if (draft.place < entry.from) {
        before = node
        continue
      }
      if (keep.has(draft.seq)) kept.push(draft)
      else if (draft.kind === 'summary') replaced.push(draft)
      this.#unlink(node)
    }
    const { seq, upTo, summary } = entry
    before = this.#link({ kind: 'summary', seq, place: upTo, entry, text: summary, replaced }, before)
    for (const draft of kept) before = this.#link(draft, before)
    this.squeeze(entry.squeezes ?? [])
  }

  #change(seq: Seq, change: (draft: Draft) => Draft): void {
    for (const node of this.#nodes(seq)) node.draft = change(node.draft)
  }

  #nodes(seq: Seq): readonly Node[] {
    this.#linkAll()
    return this.#nodesOf.get(seq) ?? []
  }

  #linkAll(): void {
    for (const draft of this.#unlinked) this.#link(draft, this.#last)
    this.#unlinked = []
  }

  /** Puts a draft behind a node, or in front of all. */
  #link(draft: Draft, before: Node | undefined): Node {
    const after = before === undefined ? this.#first : before.after
    const node: Node = { draft, before, after }
    if (before === undefined) this.#first = node
    else before.after = node
    if (after === undefined) this.#last = node
    else after.before = node
    const others = this.#nodesOf.get(draft.seq)
    if (others === undefined) this.#nodesOf.set(draft.seq, [node])
    // What stands where it was said comes first.
    else if (draft.place === draft.seq) others.unshift(node)
    else others.push(node)
    return node
  }

  /** Takes a node out; it still knows what came after it. */
  #unlink(node: Node): void {
    const { before, after, draft } = node
    if (before === undefined) this.#first = after
    else before.after = after
    if (after === undefined) this.#last = before
    else after.before = before
    const others = this.#nodesOf.get(draft.seq) ?? []
    if (others.length <= 1) this.#nodesOf.delete(draft.seq)
    else others.splice(others.indexOf(node), 1)
  }
}

function sourcesOf(draft: SummaryDraft): EntryOf<'compaction'>[] {
  // Not recursive: a session may have been compacted thousands of times.
  const newestFirst: SummaryDraft[] = []
  const open = [draft]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    newestFirst.push(next)
    for (const summary of next.replaced) open.push(summary)
  }
  return newestFirst.reverse().map((summary) => summary.entry)
}

function changedText(text: string, change: (message: Message) => Message): string {
  const changed = change({ role: 'user', content: text })
  return typeof changed.content === 'string' ? changed.content : text
}
