import { unreachable } from '../../../model/problems/errors.ts'
import type { EntryOf, Item, Message, MessageItem, Part, RepairChange, Seq, ToolPart } from '../../../model/types.ts'
import { NO_RESULT } from '../../extract/calls/call-outcome.ts'
import { ItemList } from './item-list.ts'
import { problemsOf, type ValidateOptions } from './validate.ts'

/** The steps that make the items of a view valid for every provider. A valid view needs none. */
export function repairsFor(items: readonly Item[], options: ValidateOptions = {}): RepairChange[] {
  if (problemsOf(items, options).length === 0) return []
  // A summary may be a system message, which is rendered separately. Here it only separates the items around it.
  const list = new ItemList()
  for (const { seq, place, message, pinned } of items) list.append({ kind: 'message', seq, place, message, pinned })
  const changes: RepairChange[] = []
  // One step can uncover the next problem: a dropped part may leave reasoning alone. A few rounds are always enough.
  for (let round = 0; round < 8; round++) {
    const placed = list.items().filter((item) => item.kind === 'message')
    const fixes = inOrder(problemsOf(placed, options).flatMap((problem) => problem.fixes))
    if (fixes.length === 0) break
    applyChanges(list, fixes)
    for (const change of fixes) changes.push(change)
  }
  return changes
}

/** The repair as an entry for the log, or undefined for a valid view. */
export function repairDraft(
  items: readonly Item[],
  options?: ValidateOptions,
): Omit<EntryOf<'repair'>, 'id' | 'seq' | 'at'> | undefined {
  const changes = repairsFor(items, options)
  return changes.length === 0 ? undefined : { type: 'repair', changes }
}

const ORDER: Record<RepairChange['op'], number> = {
  'rename-call': 0,
  'move-result': 1,
  'drop-part': 1,
  'add-result': 2,
  'drop-message': 3,
}

/** Steps that shift the parts of a message come last and start at its last part, so that part numbers stay right. */
function inOrder(changes: readonly RepairChange[]): RepairChange[] {
  return changes.toSorted((a, b) => ORDER[a.op] - ORDER[b.op] || partOf(b) - partOf(a))
}

function partOf(change: RepairChange): number {
  return 'part' in change ? change.part : 0
}

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
