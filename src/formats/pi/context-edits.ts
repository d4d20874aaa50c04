import type { TreeRow } from '../shared/active-rows.ts'
import { fields } from '../shared/json.ts'

/**
 * The rows of a branch as the model sees them: newer versions change what an earlier entry says to the model by a `context_edit`
 * behind it, and keep its line. The last edit of an entry counts; an entry that was edited away says nothing.
 */
export function withContextEdits(branch: readonly TreeRow[]): TreeRow[] {
  const edits = new Map(
    branch.flatMap(({ entry }) =>
      entry.type === 'context_edit' ? [[String(entry.targetId), fields(entry.replacement)?.content] as const] : [],
    ),
  )
  return branch.map((row) => (edits.has(row.id) ? edited(row, edits.get(row.id)) : row))
}

function edited(row: TreeRow, content: unknown): TreeRow {
  if (content === undefined) return { ...row, entry: {} }
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const message = fields(row.entry.message)
  const changed = message === undefined ? { content: blocks } : { message: { ...message, content: blocks } }
  return { ...row, entry: { ...row.entry, ...changed } }
}
