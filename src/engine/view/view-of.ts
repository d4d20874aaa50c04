import type { Entry, EntryOf } from '../../model/entry.ts'
import { unreachable } from '../../model/errors.ts'
import type { Seq } from '../../model/ids.ts'
import { Sequence } from '../../model/sequence.ts'
import type { View } from '../../model/view.ts'
import { inactiveSeqs } from './activity.ts'
import { applyChanges } from './apply-changes.ts'
import { HandleNames } from './handle-names.ts'
import { ItemList, messageItem } from './item-list.ts'
import { maskMessage, redactMessage } from './rewrite-message.ts'
import { type LiveSummary, liveSummary, summaryItem } from './summary-item.ts'

/** What the model sees: a fold over the entries that no undo has deactivated. Nothing is ever deleted. */
export function viewOf(log: readonly Entry[]): View {
  return foldOf(log).view()
}

function foldOf(log: readonly Entry[]): Fold {
  const inactive = inactiveSeqs(log)
  const fold = new Fold()
  for (const entry of log) fold.add(entry, !inactive.has(entry.seq))
  return fold
}

/** The summaries that the view of a log has, without rendering them: their facts need not be in the log. */
export function liveSummaries(log: readonly Entry[]): LiveSummary[] {
  return foldOf(log).summaries()
}

/** The view after one more entry. A message costs itself; a change folds the log again, `entry` being its last. */
export function extendView(view: View, entry: Entry, log: readonly Entry[]): View {
  if (entry.type === 'settings' || entry.type === 'todo' || entry.type === 'attempt') {
    return { ...view, lastSeq: entry.seq }
  }
  if (entry.type !== 'message') return viewOf(log)
  const items = view.items.append(messageItem(entry))
  const anchor = anchorOf(entry)
  return {
    ...view,
    items,
    lastSeq: entry.seq,
    anchor: anchor === undefined ? view.anchor : { ...anchor, items: items.length },
  }
}

/** The state of the fold. Every entry costs what it touches, so that a log of any shape is read in linear time. */
class Fold {
  readonly #list = new ItemList()
  readonly #redacted = new Set<Seq>()
  #revision: Seq = 0
  #settled: Seq = 0
  #settledBy: View['settledBy']
  #lastSeq: Seq = 0
  #anchor: Anchor | undefined
  #sinceAnchor = 0

  add(entry: Entry, active: boolean): void {
    this.#lastSeq = Math.max(this.#lastSeq, entry.seq)
    if (changesView(entry)) {
      // Inactive entries too: a provider that reported before an undone change counted another view.
      this.#revision = entry.seq
      this.#anchor = undefined
      this.#settle(entry)
    }
    if (active) this.#apply(entry)
  }

  view(): View {
    const items = Sequence.map(this.#list.items(), (item) =>
      item.kind === 'message' ? item : summaryItem(liveSummary(item, this.#redacted)),
    )
    const anchor = this.#anchor && { ...this.#anchor, items: items.length - this.#sinceAnchor }
    return {
      items,
      revision: this.#revision,
      settled: this.#settled,
      settledBy: this.#settledBy,
      lastSeq: this.#lastSeq,
      anchor,
    }
  }

  summaries(): LiveSummary[] {
    return this.#list.items().flatMap((item) => (item.kind === 'summary' ? [liveSummary(item, this.#redacted)] : []))
  }

  /** After these an automatic compaction waits for growth. */
  #settle({ type, seq }: Entry): void {
    if (type !== 'compaction' && type !== 'mask' && type !== 'squeeze' && type !== 'undo') return
    this.#settled = seq
    this.#settledBy = type
  }

  #setAnchor(entry: EntryOf<'message'>): void {
    const anchor = anchorOf(entry)
    if (anchor === undefined) return
    this.#anchor = anchor
    this.#sinceAnchor = 0
  }

  #apply(entry: Entry): void {
    const list = this.#list
    switch (entry.type) {
      case 'message':
        list.append(messageItem(entry))
        this.#sinceAnchor++
        this.#setAnchor(entry)
        return
      case 'compaction':
        return list.replaceRange(entry)
      case 'mask':
        return maskAll(list, entry)
      case 'squeeze':
        return list.squeeze(entry.squeezes)
      case 'redact':
        this.#redacted.add(entry.target)
        list.redactSummaries(entry.target)
        return list.rewrite(entry.target, redactMessage)
      case 'edit':
        return list.editSummary(entry.of, entry.summary)
      case 'pin':
        return list.pin(entry.target, entry.on)
      case 'repair':
        applyChanges(list, entry.changes)
        return
      case 'undo':
      case 'attempt':
      case 'settings':
      case 'todo':
        return
      default:
        return unreachable(entry)
    }
  }
}

/** Masks the newest first, because the first handles get the most names. */
function maskAll(list: ItemList, { targets, nameCharacters }: EntryOf<'mask'>): void {
  const names = nameCharacters === undefined ? undefined : new HandleNames(nameCharacters)
  for (const seq of targets.toReversed()) list.rewrite(seq, (message) => maskMessage(message, seq, names))
}

type Anchor = Omit<NonNullable<View['anchor']>, 'items'>

/** The provider's count up to and including this message. A count of zero is no report. */
function anchorOf(entry: EntryOf<'message'>): Anchor | undefined {
  const { usage, model } = entry
  if (usage === undefined || usage.inputTokens === 0) return undefined
  return { tokens: usage.inputTokens + usage.outputTokens, model }
}

/** True for an entry that changes what the model sees, other than by appending a message. */
export function changesView(entry: Entry): boolean {
  switch (entry.type) {
    case 'compaction':
    case 'mask':
    case 'squeeze':
    case 'edit':
    case 'undo':
    case 'repair':
    case 'redact':
      return true
    case 'message':
    case 'pin':
    case 'attempt':
    case 'settings':
    case 'todo':
      return false
    default:
      return unreachable(entry)
  }
}
