import type { Rung } from '../../model/policy/policy.ts'
import { handle } from '../../model/text/handle.ts'
import { counted } from './numbers.ts'

/** A change of the view that an undo takes back, as far as a sentence about it needs it. */
export type UndoableChange =
  | { readonly type: 'reduction'; readonly rung: Rung; readonly messagesRemoved: number }
  | { readonly type: 'squeeze'; readonly targets: readonly number[] }
  | { readonly type: 'edit'; readonly of: number }
  | { readonly type: 'put-back'; readonly target: number }

/** What an undo took back. `change` is undefined where it is not at hand. */
export function undoText(seq: number, change: UndoableChange | undefined): string {
  if (change === undefined) return `Undone: the context is as it was before ${handle(seq)}. /redo takes this back.`
  return `Undone: ${nameOf(change)} (${handle(seq)}). /redo takes this back.`
}

/** What a redo did again. */
export function redoText(seq: number, change: UndoableChange | undefined): string {
  if (change === undefined) return 'Redone: the last undo is taken back.'
  return `Redone: ${nameOf(change)} (${handle(seq)}).`
}

/** Why a compaction cannot be undone now; undefined when an undo takes it back. */
export function notUndoableText(
  seq: number,
  { isUndone, newest }: { readonly isUndone: boolean; readonly newest: number | undefined },
): string | undefined {
  if (isUndone) return 'It is undone: what it replaced is in the context again'
  if (newest === seq) return undefined
  return newest === undefined
    ? 'There is nothing to undo'
    : `Undo takes back the newest change first: ${handle(newest)}`
}

function nameOf(change: UndoableChange): string {
  switch (change.type) {
    case 'reduction':
      return change.rung === 'mask'
        ? 'the masking of old tool output'
        : `the compaction of ${counted(change.messagesRemoved, 'message')}`
    case 'squeeze':
      return `the shortening of ${change.targets.map(handle).join(', ')}`
    case 'edit':
      return `the new words of the summary ${handle(change.of)}`
    case 'put-back':
      return `that ${handle(change.target)} came back`
  }
}
