import type { EntryDraft } from '../../src/model/types.ts'

/** A compaction as a log has it, of the messages up to `upTo`. */
export function compaction(more: Partial<Extract<EntryDraft, { type: 'compaction' }>> = {}): EntryDraft {
  return {
    type: 'compaction',
    from: 1,
    upTo: 1,
    keep: [],
    summary: 's',
    frame: 'pith',
    indexDelta: { files: [], users: [] },
    messages: more.upTo ?? 1,
    reason: 'manual',
    rung: 'cold',
    tokensBefore: 1,
    tokensAfter: 1,
    ...more,
  }
}
