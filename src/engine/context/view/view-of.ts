import { Items } from '../../../model/items.ts'
import { unreachable } from '../../../model/problems/errors.ts'
import { atOnce, type Steps } from '../../../model/steps.ts'
import type { Entry, EntryOf, Item, Seq, View } from '../../../model/types.ts'
import { Sequence } from '../../../model/values.ts'
import { changesView, inactiveSeqs, takenBackBy, voidsCount } from './activity.ts'
import { ItemList, type ListItem, messageItem, type Shortener, shortenedBy } from './item-list.ts'
import { withoutLeftOut } from './left-out.ts'
import { type MaskHandle, maskAll } from './mask-all.ts'
import {
  countedBy,
  EMPTY_FOLD_CACHE,
  type FoldCache,
  type FoldedLog,
  type ProviderCount,
  type Shortened,
  withItem,
} from './plain-view.ts'
import { applyChanges } from './repair.ts'
import { isBackSince, type PutBack, putBackIn } from './replaced-range.ts'
import { type LiveSummary, liveSummary, type RenderedSummary, summaryItem } from './summary-item.ts'

/**
 * The messages that the model sees: a fold over the entries that no undo has deactivated. Nothing is ever deleted.
 *
 * @example
 * ```ts
 * import { logOf, messagesOf, viewOf } from 'pith'
 *
 * const view = viewOf(logOf(messages))
 * console.log(messagesOf(view)) // what to send
 * ```
 */
export function viewOf(log: readonly Entry[]): View {
  return foldLog(log).view
}

/** The view of a log. `before`: the reusable results of an earlier fold of it. */
export function foldLog(log: readonly Entry[], before: FoldCache = EMPTY_FOLD_CACHE): FoldedLog {
  return atOnce(foldSteps(log, before))
}

/** The same in steps. */
export function* foldSteps(log: readonly Entry[], before: FoldCache = EMPTY_FOLD_CACHE): Steps<FoldedLog> {
  const fold = foldOf(log, before)
  yield
  return yield* fold.end()
}

function foldOf(log: readonly Entry[], before: FoldCache = EMPTY_FOLD_CACHE): Fold {
  const inactive = inactiveSeqs(log)
  const fold = new Fold(putBackIn(log, inactive), before)
  for (const entry of log) fold.add(entry, !inactive.has(entry.seq))
  return fold
}

/** The summaries in the view of a log, without rendering them: their facts need not be in the log. */
export function liveSummaries(log: readonly Entry[]): LiveSummary[] {
  return foldOf(log).summaries()
}

/** The view after one more entry. A message costs only its own size; any other change folds the log again, with `entry` as its last. */
export function extendView(view: View, entry: Entry, log: readonly Entry[]): View {
  return extendFolded({ view, made: EMPTY_FOLD_CACHE }, entry, () => log).view
}

/** The same, with the results that the next fold can reuse. `log`: the log including the entry. */
export function extendFolded(folded: FoldedLog, entry: Entry, log: () => readonly Entry[]): FoldedLog {
  return atOnce(extendFoldedSteps(folded, entry, log))
}

/** The same in steps. */
export function* extendFoldedSteps(
  { view, made }: FoldedLog,
  entry: Entry,
  log: () => readonly Entry[],
): Steps<FoldedLog> {
  if (NOT_IN_VIEW.has(entry.type)) return { view: { ...view, lastSeq: entry.seq }, made }
  if (entry.type !== 'message') return yield* foldSteps(log(), made)
  const item = messageItem(entry)
  const by = entry.shown
  const shortened =
    by === undefined ? made.shortened : made.shortened.append({ by, message: entry.message, short: item.message })
  return { view: withItem(view, entry, item), made: { ...made, shortened } }
}

/** Entries that do not change the view. */
const NOT_IN_VIEW: ReadonlySet<Entry['type']> = new Set(['settings', 'todo', 'attempt', 'void', 'checkpoint'])

/** The state of the fold. Every entry costs only as much as it touches, so any log is read in linear time. */
class Fold {
  readonly #back: PutBack
  readonly #before: FoldCache
  readonly #list: ItemList
  readonly #masks = new Map<EntryOf<'mask'>, readonly MaskHandle[]>()
  readonly #shortened: Shortened[] = []
  readonly #shorten: Shortener
  readonly #redacted = new Set<Seq>()
  readonly #leaveOuts: EntryOf<'leave-out'>[] = []
  #revision: Seq = 0
  #settled: Seq = 0
  #settledBy: View['settledBy']
  #lastSeq: Seq = 0
  /** The provider's last report on the view, and the answer that it came with. */
  #report: (ProviderCount & { readonly seq: Seq }) | undefined
  #drift: View['drift']
  #unseenTokens: View['unseenTokens']
  /** Inactive changes whose undo comes later. Until then providers counted another view. */
  readonly #undoneLater = new Set<Seq>()

  constructor(back: PutBack, before: FoldCache) {
    this.#back = back
    this.#before = before
    const known = new Map(before.shortened.slice().map((one) => [one.by, one]))
    this.#shorten = (by, message, seq) => {
      const last = known.get(by)
      const short = last?.message === message ? last.short : shortenedBy(by, message, seq)
      this.#shortened.push({ by, message, short })
      return short
    }
    this.#list = new ItemList(this.#shorten)
  }

  add(entry: Entry, active: boolean): void {
    this.#lastSeq = Math.max(this.#lastSeq, entry.seq)
    if (changesView(entry)) {
      this.#revision = entry.seq
      this.#settle(entry)
      if (!active) this.#undoneLater.add(entry.seq)
      // After an undo the view is the one that was counted before, so that count is valid again.
      else if (!this.#takesBack(entry) && voidsCount(entry)) this.#report = undefined
    }
    if (active) this.#apply(entry)
  }

  /** True if the entry takes back changes that this fold has skipped. */
  #takesBack(entry: Entry): boolean {
    const skipped = takenBackBy(entry).filter((of) => this.#undoneLater.delete(of))
    return skipped.length > 0
  }

  #items(): readonly ListItem[] {
    return withoutLeftOut(this.#list.items(), this.#leaveOuts, (seq, since) => isBackSince(this.#back, seq, since))
  }

  /** Rendering a summary is a step of its own. */
  *end(): Steps<FoldedLog> {
    const { records } = this.#before
    const rendered: RenderedSummary[] = []
    const items: Item[] = []
    for (const item of this.#items()) {
      if (item.kind === 'message') items.push(item)
      else {
        const live = liveSummary(item, this.#redacted)
        const record = { live, item: summaryItem(live, records) }
        rendered.push(record)
        items.push(record.item)
        yield
      }
    }
    // An undo brings back the last replaced summary. Each has all facts before it, so older ones would only use memory.
    const replaced = new Set(rendered.flatMap(({ live }) => live.sources.slice(-2, -1)))
    return {
      view: this.#view(Items.of(items)),
      made: {
        records: [...records.filter(({ live }) => replaced.has(live.entry)), ...rendered],
        masks: this.#masks,
        shortened: Sequence.of(this.#shortened),
      },
    }
  }

  #view(items: Items): View {
    return {
      items,
      revision: this.#revision,
      settled: this.#settled,
      settledBy: this.#settledBy,
      lastSeq: this.#lastSeq,
      anchor: this.#anchor(items),
      drift: this.#drift,
      unseenTokens: this.#unseenTokens,
    }
  }

  #anchor(items: Items): View['anchor'] {
    if (this.#report === undefined) return undefined
    const { seq, ...counted } = this.#report
    const placeOf = (index: number) => items.at(index)?.place ?? 0
    let length = items.length
    while (placeOf(length - 1) > seq) length--
    // Results that a repair added to the answer's calls have its place, too: the answer is the first.
    while (length > 1 && placeOf(length - 1) === seq && placeOf(length - 2) === seq) length--
    return { ...counted, items: length }
  }

  summaries(): LiveSummary[] {
    return this.#list.items().flatMap((item) => (item.kind === 'summary' ? [liveSummary(item, this.#redacted)] : []))
  }

  /** After these an automatic compaction waits until the context has grown. */
  #settle({ type, seq }: Entry): void {
    if (type !== 'compaction' && type !== 'mask' && type !== 'squeeze' && type !== 'undo') return
    this.#settled = seq
    this.#settledBy = type
  }

  #setAnchor(entry: EntryOf<'message'>): void {
    const counted = countedBy(entry)
    if (counted === undefined || this.#undoneLater.size > 0) return
    this.#report = { ...counted, seq: entry.seq }
    this.#drift = undefined
  }

  #isBackSince(entry: Seq): (seq: Seq) => boolean {
    return (seq) => isBackSince(this.#back, seq, entry)
  }

  #apply(entry: Entry): void {
    const list = this.#list
    switch (entry.type) {
      case 'message':
        list.append(messageItem(entry, this.#shorten))
        this.#setAnchor(entry)
        return
      case 'compaction':
        this.#drift = entry.drift
        this.#unseenTokens = entry.unseenTokens
        return list.replaceRange(entry, this.#isBackSince(entry.seq))
      case 'mask':
        this.#drift = entry.drift
        this.#masks.set(entry, maskAll(list, entry, this.#isBackSince(entry.seq), this.#before.masks.get(entry)))
        return
      case 'squeeze':
        if (entry.tokensAfter !== undefined) this.#drift = entry.drift
        return list.squeeze(entry.squeezes, this.#isBackSince(entry.seq))
      case 'redact':
        this.#redacted.add(entry.target)
        for (const seq of list.redactSummaries(entry.target)) this.#redacted.add(seq)
        return list.redact(entry.target)
      case 'edit':
        return list.editSummary(entry.of, entry.summary)
      case 'pin':
        if (entry.back !== undefined) this.#drift = entry.drift
        return list.pin(entry.target, entry.on)
      case 'repair':
        applyChanges(list, entry.changes)
        return
      case 'leave-out':
        if (entry.waits === true) return
        this.#drift = entry.drift
        this.#leaveOuts.push(entry)
        return
      case 'put-back':
        this.#drift = entry.drift
        return
      case 'undo':
      case 'attempt':
      case 'void':
      case 'settings':
      case 'todo':
      case 'checkpoint':
        return
      default:
        return unreachable(entry)
    }
  }
}
