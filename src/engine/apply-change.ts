import type { Change } from '../model/entry.ts'
import { unreachable } from '../model/errors.ts'
import type { Seq } from '../model/ids.ts'
import type { Message, Part, ToolPart } from '../model/message.ts'
import type { Drafts } from './drafts.ts'

/** What stands in the view for a result that was never stored. */
export const NO_RESULT = '[no result: the call was interrupted]'

/** Applies one step of a repair to the items of a view. What it adds belongs to the entry of the call. */
export function applyChange(drafts: Drafts, change: Change): void {
  switch (change.op) {
    case 'drop-message':
      return drafts.drop(change.seq)
    case 'drop-part':
      return dropPart(drafts, change.seq, change.part)
    case 'rename-call':
      return drafts.rewriteFirst(change.seq, (message) => renamePart(message, change.part, change.toolCallId))
    case 'add-result': {
      const { toolCallId, toolName } = change
      return insertResult(drafts, change.seq, change.seq, {
        type: 'tool-result',
        toolCallId,
        toolName,
        output: { type: 'error-text', value: NO_RESULT },
      })
    }
    case 'move-result': {
      const part = drafts.get(change.from)?.message.content[change.part]
      if (typeof part !== 'object' || part.type !== 'tool-result') return
      dropPart(drafts, change.from, change.part)
      // It stays a part of the entry that it came with, for a redaction or a mask of that one.
      return insertResult(drafts, change.seq, change.from, part)
    }
    default:
      return unreachable(change)
  }
}

function insertResult(drafts: Drafts, after: Seq, entry: Seq, part: ToolPart): void {
  drafts.insertAfter(after, { role: 'tool', content: [part] }, entry)
}

function dropPart(drafts: Drafts, seq: Seq, index: number): void {
  const message = drafts.get(seq)?.message
  if (message === undefined || typeof message.content === 'string') return
  const content = (message.content as readonly Part[]).filter((_, i) => i !== index)
  if (content.length === 0) drafts.drop(seq)
  else drafts.rewriteFirst(seq, () => ({ ...message, content }) as Message)
}

function renamePart(message: Message, index: number, toolCallId: string): Message {
  if (typeof message.content === 'string') return message
  const content = (message.content as readonly Part[]).map((part, i) =>
    i === index && 'toolCallId' in part ? { ...part, toolCallId } : part,
  )
  return { ...message, content } as Message
}
