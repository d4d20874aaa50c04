import { unreachable } from '../../../model/problems/errors.ts'
import type { Entry, EntryOf, Seq } from '../../../model/types.ts'

const UNDOABLE: ReadonlySet<Entry['type']> = new Set(['compaction', 'mask', 'squeeze', 'edit', 'leave-out', 'put-back'])

/** The fields of an entry that decide whether it is active. A session account keeps these. */
export type EntryMark = Pick<Entry, 'type' | 'seq'> & {
  readonly of?: Seq
  readonly back?: readonly Seq[] | undefined
  readonly leaveOuts?: readonly Seq[] | undefined
  readonly compact?: object | undefined
}

/** True for a change that can be undone. A redaction is final, and a message cannot be taken back. */
function isUndoable(entry: EntryMark): boolean {
  if (entry.type === 'settings') return entry.compact !== undefined
  return UNDOABLE.has(entry.type) || (entry.type === 'pin' && entry.back !== undefined)
}

const SETTLING: ReadonlySet<Entry['type']> = new Set(['compaction', 'mask', 'squeeze', 'attempt'])

/** The compaction that the model asked for and that was not tried yet; the newest if there are several. */
export function requestedCompaction(log: readonly Entry[]): EntryOf<'settings'> | undefined {
  const last = log.findLast(
    (entry) => SETTLING.has(entry.type) || (entry.type === 'settings' && entry.compact !== undefined),
  )
  return last?.type !== 'settings' || inactiveSeqs(log).has(last.seq) ? undefined : last
}

/**
 * The entries that an undo has deactivated, and the leave-outs that were put back, in one pass from the newest. An undo that is
 * itself undone does nothing.
 */
export function inactiveSeqs(log: readonly EntryMark[]): ReadonlySet<Seq> {
  const inactive = new Set<Seq>()
  if (!log.some((entry) => takenBackBy(entry).length > 0)) return inactive
  const typeOf = new Map(
    log.flatMap((entry) => (entry.type === 'undo' || isUndoable(entry) ? [[entry.seq, entry.type] as const] : [])),
  )
  for (let i = log.length - 1; i >= 0; i--) {
    const entry = log[i]
    if (entry === undefined || inactive.has(entry.seq)) continue
    for (const of of takenBackBy(entry)) {
      const type = of < entry.seq ? typeOf.get(of) : undefined
      if (type === 'leave-out' || (type !== undefined && entry.type === 'undo')) inactive.add(of)
    }
  }
  return inactive
}

/** The entries that this one deactivates. */
export function takenBackBy({ type, of, leaveOuts }: EntryMark): readonly Seq[] {
  if (type === 'put-back') return leaveOuts ?? []
  return type === 'undo' && of !== undefined ? [of] : []
}

/** The number of compactions of a log that are not undone. */
export function activeCompactions(log: readonly EntryMark[]): number {
  const inactive = inactiveSeqs(log)
  return log.filter(({ type, seq }) => type === 'compaction' && !inactive.has(seq)).length
}

/**
 * The entries that the next undo and the next redo would name. Both go into the log as `{ type: 'undo', of }`.
 *
 * @example
 * ```ts
 * import { logOf, nextEntry, undoTargets } from 'pith'
 *
 * const log = logOf(messages)
 * const { undo } = undoTargets(log)
 * if (undo !== undefined) log.push(nextEntry(log, { type: 'undo', of: undo }))
 * ```
 */
export function undoTargets(log: readonly Entry[]): { undo?: Seq; redo?: Seq } {
  const done: Seq[] = []
  const undone: { change: Seq; by: Seq }[] = []
  // A request that was tried has no effect any more, so there is nothing to undo.
  const settled = log.findLastIndex(({ type }) => SETTLING.has(type))
  for (const [index, entry] of log.entries()) {
    if (entry.type === 'settings' && index < settled) continue
    if (isUndoable(entry)) {
      done.push(entry.seq)
      undone.length = 0
    } else if (entry.type === 'undo') {
      const last = undone.at(-1)
      if (last !== undefined && last.by === entry.of) {
        undone.pop()
        done.push(last.change)
      } else if (done.at(-1) === entry.of) {
        done.pop()
        undone.push({ change: entry.of, by: entry.seq })
      }
    }
  }
  return { undo: done.at(-1), redo: undone.at(-1)?.by }
}

/** True for an entry that changes the view in any way except appending a message. */
export function changesView(entry: Entry): boolean {
  switch (entry.type) {
    case 'compaction':
    case 'mask':
    case 'squeeze':
    case 'edit':
    case 'undo':
    case 'repair':
    case 'redact':
    case 'put-back':
      return true
    case 'leave-out':
      return entry.waits !== true
    case 'pin':
      return entry.back !== undefined
    case 'message':
    case 'attempt':
    case 'void':
    case 'settings':
    case 'todo':
    case 'checkpoint':
      return false
    default:
      return unreachable(entry)
  }
}

/**
 * True for an entry after which a provider's earlier count is no longer that of the view. A repair changes only the form
 * that a provider needs (names of calls, their order, a missing result), so the count is still right.
 */
export function voidsCount(entry: Entry): boolean {
  return entry.type !== 'repair' && changesView(entry)
}
