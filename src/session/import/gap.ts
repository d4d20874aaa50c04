import type { Entry } from '../../model/types.ts'

/** True for an entry that only fills a gap. */
export function isGap(entry: Entry): boolean {
  return entry.type === 'settings' && Object.keys(entry).length === GAP_FIELDS
}

const GAP_FIELDS = ['id', 'seq', 'at', 'type'].length
