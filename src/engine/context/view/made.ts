import type { EntryOf } from '../../../model/entry.ts'
import type { Message } from '../../../model/message/message.ts'
import { Sequence } from '../../../model/values/sequence.ts'
import type { View } from '../../../model/view.ts'
import type { RecordFacts } from '../../record/sections/record-facts.ts'
import type { MaskHandle } from './mask-all.ts'
import type { RenderedSummary } from './summary-item.ts'

/** A view, and what was made for it. */
export type FoldedLog = { readonly view: View; readonly made: Made }

/** What a fold made of entries and messages: a later fold of the same log takes it as it is, to the very objects. */
export type Made = {
  readonly records: readonly RenderedSummary[]
  readonly masks: ReadonlyMap<EntryOf<'mask'>, readonly MaskHandle[]>
  readonly shortened: Sequence<Shortened>
  /** The facts of a span that is being compacted: its record is made of them. */
  readonly facts?: RecordFacts
}

/** A message in its short form, and what says how short. */
export type Shortened = { readonly by: object; readonly message: Message; readonly short: Message }

export const NOTHING_MADE: Made = { records: [], masks: new Map(), shortened: Sequence.of() }
