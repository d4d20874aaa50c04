import type { Rung } from '../../model/policy/policy.ts'
import { handle } from '../../model/text.ts'
import { counted } from './numbers.ts'

/** A change of the view that can be undone, with the fields that a sentence about it needs. */
export type UndoableChange =
  | { readonly type: 'reduction'; readonly rung: Rung; readonly messagesRemoved: number }
  | { readonly type: 'squeeze'; readonly targets: readonly number[] }
  | { readonly type: 'edit'; readonly of: number }
  | { readonly type: 'put-back'; readonly target: number }

/** The result of an undo. `change` is undefined if it is not available. */
export function undoText(seq: number, change: UndoableChange | undefined): string {
  if (change === undefined) return `Undone: the context is as it was before ${handle(seq)}. /redo takes this back.`
  return `Undone: ${nameOf(change)} (${handle(seq)}). /redo takes this back.`
}

/** The result of a redo. */
export function redoText(seq: number, change: UndoableChange | undefined): string {
  if (change === undefined) return 'Redone: the last undo is taken back.'
  return `Redone: ${nameOf(change)} (${handle(seq)}).`
}

/** Why a compaction cannot be undone now; undefined if it can. */
export function notUndoableText(
  seq: number,
  { isUndone, newest }: { readonly isUndone: boolean; readonly newest: number | undefined },
): string | undefined {
  if (isUndone) return 'It is undone: the messages that it replaced are in the context again'
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
      return `the new text of the summary ${handle(change.of)}`
    case 'put-back':
      return `putting back ${handle(change.target)}`
  }
}
