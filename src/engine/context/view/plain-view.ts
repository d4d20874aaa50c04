import { Items } from '../../../model/items.ts'
import type { Steps } from '../../../model/steps.ts'
import type { Anchor, Entry, EntryOf, Message, MessageItem, Usage, View } from '../../../model/types.ts'
import { Sequence } from '../../../model/values.ts'
import type { MaskHandle } from './mask-all.ts'
import type { RenderedSummary } from './summary-item.ts'

/**
 * The view of a log that was not changed and needs no repair; undefined for every other log, which has to be
 * folded. A browser counts a conversation with it before it has loaded the rest of the engine.
 */
export function* plainView(log: readonly Entry[]): Steps<View | undefined> {
  let view: View = { items: Items.of(), revision: 0, settled: 0, lastSeq: 0 }
  for (const entry of log) {
    if (entry.type !== 'message' || entry.shown !== undefined) return undefined
    view = withItem(view, entry, plainItem(entry))
    if (entry.seq % A_FEW === 0) yield
  }
  return view.items.isPlainlyValid ? view : undefined
}

/** A message takes some microseconds. */
const A_FEW = 64

/** The view with the item of one more message. */
export function withItem(view: View, entry: EntryOf<'message'>, item: MessageItem): View {
  const items = view.items.append(item)
  const counted = countedBy(entry)
  const known = { ...view, items, lastSeq: entry.seq }
  if (counted === undefined) return known
  return { ...known, drift: undefined, anchor: { ...counted, items: items.length } }
}

/** The item of a message that is shown whole. */
export function plainItem({
  seq,
  at,
  message,
  files,
  userWords,
  calls,
}: Omit<EntryOf<'message'>, 'shown'>): MessageItem {
  const time = at > 0 ? at : undefined
  return { kind: 'message', seq, place: seq, message, at: time, pinned: false, files, userWords, calls }
}

/** The provider's report on a view of any length. */
export type ProviderCount = Omit<Anchor, 'items'>

type Reported = Pick<EntryOf<'message'>, 'model' | 'reduced'> & {
  readonly usage?: Pick<Usage, 'inputTokens' | 'outputTokens'>
}

/** The provider's count up to and including this message. A count of zero is not a report. */
export function countedBy(entry: Reported): ProviderCount | undefined {
  const { usage, model, reduced } = entry
  if (usage === undefined || usage.inputTokens === 0) return undefined
  const counted = { tokens: usage.inputTokens + usage.outputTokens, input: usage.inputTokens, model }
  return reduced === undefined ? counted : { ...counted, isReduced: true }
}

/** A view, and the parts of it that a later fold can reuse. */
export type FoldedLog = { readonly view: View; readonly made: FoldCache }

/** The results of a fold. A later fold of the same log reuses these very objects. */
export type FoldCache = {
  readonly records: readonly RenderedSummary[]
  readonly masks: ReadonlyMap<EntryOf<'mask'>, readonly MaskHandle[]>
  readonly shortened: Sequence<Shortened>
}

/** A message in its short form, and the entry or squeeze that shortened it. */
export type Shortened = { readonly by: object; readonly message: Message; readonly short: Message }

export const EMPTY_FOLD_CACHE: FoldCache = { records: [], masks: new Map(), shortened: Sequence.of() }
