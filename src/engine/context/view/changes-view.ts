import { unreachable } from '../../../model/problems/errors.ts'
import type { Entry } from '../../../model/types.ts'

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
      return true
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
