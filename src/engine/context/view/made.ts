import type { EntryOf, Message, View } from '../../../model/types.ts'
import { Sequence } from '../../../model/values.ts'
import type { RecordFacts } from '../../record/sections/record-facts.ts'
import type { MaskHandle } from './mask-all.ts'
import type { RenderedSummary } from './summary-item.ts'

/** A view, and the parts of it that a later fold can reuse. */
export type FoldedLog = { readonly view: View; readonly made: Made }

/** The results of a fold. A later fold of the same log reuses these very objects. */
export type Made = {
  readonly records: readonly RenderedSummary[]
  readonly masks: ReadonlyMap<EntryOf<'mask'>, readonly MaskHandle[]>
  readonly shortened: Sequence<Shortened>
  /** The facts of the span that is being compacted. Its record is rendered from them. */
  readonly facts?: RecordFacts
}

/** A message in its short form, and the entry or squeeze that shortened it. */
export type Shortened = { readonly by: object; readonly message: Message; readonly short: Message }

export const NOTHING_MADE: Made = { records: [], masks: new Map(), shortened: Sequence.of() }
