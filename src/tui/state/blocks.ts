import type { ReductionSizes } from '../../engine/context/measure/reduction-sizes.ts'
import type { UndoableChange } from '../../engine/report/undo-text.ts'
import type { EntryOf } from '../../model/entry.ts'
import type { Rung } from '../../model/policy/policy.ts'
import type { Line, Tone } from '../port/port.ts'

/** One piece of the transcript. A block never changes: a change replaces it by another block. */
export type Block =
  | { readonly kind: 'user' | 'assistant' | 'reasoning'; readonly seq: number; readonly text: string }
  | ToolBlock
  | CompactionBlock
  | NoteBlock
  | { readonly kind: 'panel'; readonly lines: readonly Line[] }

export type NoteBlock = {
  readonly kind: 'note'
  readonly seq?: number
  readonly text: string
  readonly tone: Tone
  /** The change that it tells, for an undo of it. */
  readonly change?: UndoableChange
  /** The change that it tells the undo of, for a redo of it. */
  readonly undone?: { readonly seq: number; readonly change?: UndoableChange }
}

export type ToolBlock = {
  readonly kind: 'tool'
  /** The entry of its result; of its call, as long as there is none. */
  readonly seq: number
  readonly callSeq: number
  readonly toolCallId: string
  readonly name: string
  /** The first line of what the call is about. */
  readonly target: string
  /** All of it, where that is more than the first line: a command of several lines. */
  readonly wholeTarget?: string
  readonly state: 'running' | 'done' | 'failed'
  /** The output so far, or all of it at the end. */
  readonly output: string
  /** How many characters of the output the model sees, where that is not all of it. */
  readonly shownCharacters?: number
  readonly diff?: string
  /** The size of the file that a `write` makes. No diff of it is stored, so a session that is opened again has only this. */
  readonly written?: { readonly lines: number; readonly bytes: number }
}

export type CompactionBlock = {
  readonly kind: 'compaction'
  readonly seq: number
  readonly rung: Rung
  readonly messagesRemoved: number
  readonly sizes: ReductionSizes
  readonly how: string
  readonly summary: string
  /** What else was shortened, in one sentence. */
  readonly shortened?: string
  /** That the focus changed nothing, if so. */
  readonly unusedFocus?: string | undefined
} & Partial<Pick<EntryOf<'compaction'>, 'cost' | 'flagged' | 'refusal'>>
