import type { EntryOf, Item, RepairChange } from '../../../model/types.ts'
import { applyChanges } from './apply-changes.ts'
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
