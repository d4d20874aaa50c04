import type { BadRow, SessionId, Store } from '../store/store.ts'
import { requireSession } from './open-session.ts'

/** Entries that are read at once while a session is exported. */
const PAGE = 1_000

/** The session as JSON Lines: its row, then every entry of its log, including those that a fork shares. `onBad` gets those that cannot be read. */
export async function* exportSession(
  store: Store,
  id: SessionId,
  secrets: 'keep' | 'leave-out' = 'keep',
  onBad: (rows: readonly BadRow[]) => void = () => {},
): AsyncIterable<string> {
  const session = await requireSession(store, id)
  const redaction = secrets === 'keep' ? undefined : new (await import('../secrets/redacted-log.ts')).Redaction()
  const title = session.title === undefined ? undefined : (redaction?.text(session.title) ?? session.title)
  yield JSON.stringify({ type: 'session', ...session, title })
  for (let from = 1; ; ) {
    const { entries, bad } = await store.entries(id, { from, limit: PAGE, raw: true })
    onBad(bad)
    for (const entry of entries) yield JSON.stringify(redaction?.entry(entry) ?? entry)
    const last = Math.max(entries.at(-1)?.seq ?? 0, bad.at(-1)?.seq ?? 0)
    if (last === 0) return
    from = last + 1
  }
}
