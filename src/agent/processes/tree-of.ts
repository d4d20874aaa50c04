import type { ProcessRow } from './process-table.ts'

/** How processes that come of a started one are known. */
export type TreeRoot = {
  /** The process that was started. */
  readonly pid: number
  /** True once it has ended: its number may then be that of another process. */
  readonly hasExited: boolean
  /** Other processes that are known to come of it, such as some that were found before their parent ended. */
  readonly known: ReadonlySet<number>
  /** True for a process that has the mark or the namespace of the started one, whoever its parent is now. */
  readonly isMarked: (pid: number) => boolean
}

/** The processes that come of a started one: its children and theirs, its group, groups and sessions that they made, and all with its mark. */
export function treeOf(rows: readonly ProcessRow[], root: TreeRoot): Set<number> {
  const heads = new Set(root.known)
  // A number is not given to another process while a group has it, so a process of that number now leads a group of its own.
  if (!root.hasExited || rows.every(({ pid }) => pid !== root.pid)) heads.add(root.pid)
  const tree = new Set(rows.filter(({ pid }) => heads.has(pid) || root.isMarked(pid)).map(({ pid }) => pid))
  const comesOf = ({ parent, group, session = 0 }: ProcessRow) =>
    [parent, group, session].some((id) => tree.has(id) || heads.has(id))
  for (let before = -1; before < tree.size; ) {
    before = tree.size
    for (const row of rows) if (!tree.has(row.pid) && comesOf(row)) tree.add(row.pid)
  }
  return tree
}
