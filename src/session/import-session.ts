import type { DecodedSession } from '../formats/decoded-session.ts'
import type { Entry, EntryDraft } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import type { Session, SessionId, Store } from '../store/store.ts'

export type ImportInput = {
  readonly owner: string
  /** The workspace of a session that does not name one. */
  readonly workspace: string
  /** Sets the clock of the store before each batch. Without it all entries have the time of the import. */
  readonly setTime?: (at: number) => void
}

/** Entries within this time are stored in one transaction, with one time. */
const SAME_TIME_MS = 15_000

/** Stores a session of any agent as one of ours. Every entry keeps its seq, because others refer to it. */
export async function importSession(
  store: Store,
  session: Pick<DecodedSession, 'title' | 'workspace' | 'startedAt' | 'entries'>,
  input: ImportInput,
): Promise<Session> {
  const { owner, workspace, setTime } = input
  const { title, startedAt } = session
  setTime?.(startedAt ?? session.entries[0]?.at ?? 0)
  const { id } = await store.createSession({
    owner,
    workspace: session.workspace ?? workspace,
    title,
  })
  try {
    await appendEntries(store, id, session.entries, { setTime })
  } catch (error) {
    await store.deleteSession(id)
    throw error
  }
  const stored = await store.session(id)
  if (stored === undefined) throw new Error('unreachable: the session was just made')
  return stored
}

/** Appends entries of another log behind the entry `after`. Every entry keeps its seq. */
export async function appendEntries(
  store: Pick<Store, 'append'>,
  id: SessionId,
  entries: readonly Entry[],
  { after = 0, setTime }: { readonly after?: Seq } & Pick<ImportInput, 'setTime'>,
): Promise<void> {
  for (const batch of batches(withoutGaps(entries, after))) {
    setTime?.(batch[0]?.at ?? 0)
    await store.append(id, batch.map(draftOf))
  }
}

/** Fills gaps in the file with settings that set nothing, so that every entry keeps its seq. */
function withoutGaps(entries: readonly Entry[], after: Seq): Entry[] {
  const whole: Entry[] = []
  for (const entry of entries) {
    while (after + whole.length + 1 < entry.seq) {
      const seq = after + whole.length + 1
      whole.push({ id: `e${seq}`, seq, at: entry.at, type: 'settings' })
    }
    whole.push(entry)
  }
  return whole
}

function* batches(entries: readonly Entry[]): Iterable<Entry[]> {
  let batch: Entry[] = []
  for (const entry of entries) {
    if (entry.at - (batch[0]?.at ?? entry.at) > SAME_TIME_MS) {
      yield batch
      batch = []
    }
    batch.push(entry)
  }
  if (batch.length > 0) yield batch
}

function draftOf({ id: _, seq: __, at: ___, ...draft }: Entry): EntryDraft {
  return draft as EntryDraft
}
