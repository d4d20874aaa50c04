import type { DecodedSession } from '../formats/decoded-session.ts'
import type { Entry, EntryDraft } from '../model/entry.ts'
import type { Session, Store } from '../store/store.ts'

export type ImportInput = {
  readonly owner: string
  /** For a session that does not say where it was held. */
  readonly workspace: string
  /** Told the time of what is stored next, for a store whose clock can be set; without it all has the time of the import. */
  readonly setTime?: (at: number) => void
}

/** What was said within this time is stored with one time and in one transaction. */
const SAME_TIME_MS = 15_000

/** Stores a session of any agent as one of ours: its log as it is, every entry under the seq that others name it by. */
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
    for (const batch of batches(withoutGaps(session.entries))) {
      setTime?.(batch[0]?.at ?? 0)
      await store.append(id, batch.map(draftOf))
    }
  } catch (error) {
    await store.deleteSession(id)
    throw error
  }
  const stored = await store.session(id)
  if (stored === undefined) throw new Error('unreachable: the session was just made')
  return stored
}

/** Fills the places of entries that the file does not have with settings that set nothing: others are named by their seq. */
function withoutGaps(entries: readonly Entry[]): Entry[] {
  const whole: Entry[] = []
  for (const entry of entries) {
    while (whole.length + 1 < entry.seq) {
      const seq = whole.length + 1
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
