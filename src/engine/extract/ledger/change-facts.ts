import type { ChangeFact } from '../../../model/facts/change-fact.ts'
import type { IndexDelta } from '../../../model/facts/log-index.ts'
import type { Seq } from '../../../model/ids.ts'
import { type FileToolFact, type ParsedCall, patchText, type ToolFact } from '../calls/tool-facts.ts'
import { shellEdits } from '../shell/shell-files.ts'
import { changeOf } from './change-of.ts'
import { patchPieces } from './patch-pieces.ts'
import { type TextPiece, textPieces } from './text-pieces.ts'

/** What a call did to the text of files: of those that it modified, as far as its arguments say. */
export function changeFacts(call: ParsedCall, facts: readonly ToolFact[], seq: Seq): Pick<IndexDelta, 'changes'> {
  const written = facts.filter((fact): fact is FileToolFact => fact.kind === 'modified' && isWritten(fact))
  if (written.length === 0) return {}
  const piecesIn = piecesOf(call)
  const changes = written.flatMap((fact): ChangeFact[] => {
    const pieces = piecesIn(fact.path)
    // Commands write logs and move files; only the text that they say themselves is an edit.
    return pieces.length === 0 && (fact.via === 'shell' || fact.from !== undefined)
      ? []
      : [changeOf(fact.path, pieces, seq)]
  })
  return changes.length === 0 ? {} : { changes }
}

/** A file that was deleted, moved or set back has no new text. */
function isWritten({ change }: { readonly change?: string }): boolean {
  return change !== 'deleted' && change !== 'reverted'
}

const NO_PIECES: readonly TextPiece[] = []

function piecesOf({ call, row, run }: ParsedCall): (path: string) => readonly TextPiece[] {
  if (run !== undefined) {
    const edits = shellEdits(run.command, run.folder, run.steps)
    return (path) => edits.get(path) ?? NO_PIECES
  }
  if (row?.kind === 'patch') {
    const edits = patchPieces(patchText(row, call.input))
    return (path) => edits.get(path) ?? NO_PIECES
  }
  const pieces = textPieces(call.input)
  return () => pieces
}
