import type { Change } from '../model/entry.ts'
import { unreachable } from '../model/errors.ts'
import type { Seq } from '../model/ids.ts'
import type { Message, Part, ToolPart } from '../model/message.ts'
import type { Drafts } from './drafts.ts'

/** What stands in the view for a result that was never stored. */
export const NO_RESULT = '[no result: the call was interrupted]'

/** Applies one step of a repair to the items of a view. `by` is the seq of the repair. */
export function applyChange(drafts: Drafts, change: Change, by: Seq): void {
  switch (change.op) {
    case 'drop-message':
      return drafts.drop(change.seq)
    case 'drop-part':
      return dropPart(drafts, change.seq, change.part)
    case 'rename-call':
      return drafts.rewrite(change.seq, (message) => renamePart(message, change.part, change.toolCallId))
    case 'add-result': {
      const { toolCallId, toolName } = change
      return insertResult(drafts, change.seq, by, {
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
      return insertResult(drafts, change.seq, by, part)
    }
    default:
      return unreachable(change)
  }
}

function insertResult(drafts: Drafts, after: Seq, by: Seq, part: ToolPart): void {
  drafts.insertAfter(after, { role: 'tool', content: [part] }, by)
}

function dropPart(drafts: Drafts, seq: Seq, index: number): void {
  const message = drafts.get(seq)?.message
  if (message === undefined || typeof message.content === 'string') return
  const content = (message.content as readonly Part[]).filter((_, i) => i !== index)
  if (content.length === 0) drafts.drop(seq)
  else drafts.rewrite(seq, () => ({ ...message, content }) as Message)
}

function renamePart(message: Message, index: number, toolCallId: string): Message {
  if (typeof message.content === 'string') return message
  const content = (message.content as readonly Part[]).map((part, i) =>
    i === index && 'toolCallId' in part ? { ...part, toolCallId } : part,
  )
  return { ...message, content } as Message
}
