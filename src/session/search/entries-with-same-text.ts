import { PithError } from '../../model/problems/errors.ts'
import type { Entry, Seq } from '../../model/types.ts'
import { sameTextAs, stringsIn } from '../../store/search/same-text.ts'
import type { SessionId, Store } from '../../store/store.ts'

const AT_ONCE = 500

/**
 * The other messages that repeat the text of an entry, or a word of it that looks like a secret. A redaction of the entry does
 * not change them: the user must redact them, too.
 */
export async function entriesWithSameText(store: Store, id: SessionId, seq: Seq): Promise<readonly Seq[]> {
  const { entries } = await store.entries(id, { seqs: [seq] })
  const [target] = entries
  if (target === undefined) throw new PithError('unknown-entry', `session ${id} has no entry #${seq}`)
  const { isIn } = sameTextAs(target)
  const found: Seq[] = []
  for await (const { seq: other, message } of messagesOf(store, id)) {
    if (other !== seq && stringsIn(message).some(isIn)) found.push(other)
  }
  return found
}

async function* messagesOf(store: Store, id: SessionId): AsyncGenerator<Extract<Entry, { type: 'message' }>> {
  for (let from: Seq | undefined = 1; from !== undefined; ) {
    const { entries } = await store.entries(id, { from, only: 'messages', limit: AT_ONCE })
    for (const entry of entries) if (entry.type === 'message') yield entry
    const last: Entry | undefined = entries.at(-1)
    from = last === undefined ? undefined : last.seq + 1
  }
}
