import { unreachable } from '../../../model/problems/errors.ts'
import type { Message, MessageItem, Part, RepairChange, Seq, ToolPart } from '../../../model/types.ts'
import { NO_RESULT } from '../../extract/calls/call-outcome.ts'
import type { ItemList } from './item-list.ts'

/** Applies the steps of a repair to the items of a view, in order. An added result belongs to the entry of its call. */
export function applyChanges(list: ItemList, changes: readonly RepairChange[]): void {
  const edits = new Edits(list)
  for (const change of changes) apply(list, edits, change)
  edits.closeAll()
}

function apply(list: ItemList, edits: Edits, change: RepairChange): void {
  switch (change.op) {
    case 'drop-message':
      edits.close(change.seq)
      return list.drop(change.seq)
    case 'drop-part':
      edits.takeOut(change.seq, change.part)
      return
    case 'rename-call':
      return edits.rename(change.seq, change.part, change.toolCallId)
    case 'add-result': {
      const { toolCallId, toolName } = change
      const output = { type: 'error-text', value: NO_RESULT } as const
      edits.close(change.seq)
      return insertResult(list, change.seq, change.seq, { type: 'tool-result', toolCallId, toolName, output })
    }
    case 'move-result': {
      if (edits.partAt(change.from, change.part)?.type !== 'tool-result') return
      const part = edits.takeOut(change.from, change.part)
      const words = list.get(change.from)?.userWords
      edits.close(change.seq)
      // The result remains a part of its own entry, so that a redaction or a mask of that entry reaches it.
      if (part?.type === 'tool-result') insertResult(list, change.seq, change.from, part, words)
      return
    }
    default:
      return unreachable(change)
  }
}

function insertResult(
  list: ItemList,
  after: Seq,
  entry: Seq,
  part: ToolPart,
  userWords?: MessageItem['userWords'],
): void {
  list.insertResult(after, { role: 'tool', content: [part] }, entry, userWords)
}

/** The parts of a message while it is changed. A removed part leaves a hole; `firstHole` is the first one. */
type Edit = { readonly message: Message; readonly parts: (Part | undefined)[]; firstHole: number }

/**
 * Messages that are being changed. A message may lose thousands of parts, mostly from its end, so it is rebuilt
 * once, when all changes are known.
 */
class Edits {
  readonly #list: ItemList
  readonly #open = new Map<Seq, Edit>()

  constructor(list: ItemList) {
    this.#list = list
  }

  partAt(seq: Seq, index: number): Part | undefined {
    return this.#at(seq, index)?.parts[index]
  }

  /** Removes a part and returns it. */
  takeOut(seq: Seq, index: number): Part | undefined {
    const edit = this.#at(seq, index)
    const part = edit?.parts[index]
    if (edit === undefined || part === undefined) return undefined
    edit.parts[index] = undefined
    edit.firstHole = index
    return part
  }

  rename(seq: Seq, index: number, toolCallId: string): void {
    const edit = this.#at(seq, index)
    const part = edit?.parts[index]
    if (edit !== undefined && part !== undefined && 'toolCallId' in part) edit.parts[index] = { ...part, toolCallId }
  }

  /** Ends the changes of a message. A message without parts is dropped. */
  close(seq: Seq): void {
    const edit = this.#open.get(seq)
    if (edit === undefined) return
    this.#open.delete(seq)
    const content = edit.parts.filter((part) => part !== undefined)
    if (content.length === 0) this.#list.drop(seq)
    else this.#list.rewriteFirst(seq, () => ({ ...edit.message, content }) as Message)
  }

  closeAll(): void {
    for (const seq of [...this.#open.keys()]) this.close(seq)
  }

  /** The message with its parts. After a hole the part numbers have shifted, so the edit is closed first. */
  #at(seq: Seq, index: number): Edit | undefined {
    const open = this.#open.get(seq)
    if (open !== undefined && index < open.firstHole) return open
    this.close(seq)
    const message = this.#list.get(seq)?.message
    if (message === undefined || typeof message.content === 'string') return undefined
    const edit = { message, parts: [...(message.content as readonly Part[])], firstHole: Number.POSITIVE_INFINITY }
    this.#open.set(seq, edit)
    return edit
  }
}
