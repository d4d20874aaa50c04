import type { DecodedSession } from '../../formats/decoded-session.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { Entry, EntryDraft } from '../../model/types.ts'
import type { AppendOptions, Session, SessionId, Store } from '../../store/store.ts'
import { agentTitle } from './agent-title.ts'
import { importedLog } from './imported-log.ts'
import type { KnownModels } from './origin.ts'

export type ImportInput = {
  readonly owner: string
  /** The workspace of a session that does not name one. */
  readonly workspace: string
  readonly known: KnownModels
  /** A second import with the same key imports nothing and answers with the session of the first. */
  readonly key?: string
  /** Names the file, so that another file under the same key does not count as a repetition. */
  readonly file?: string
}

/** Stores a session of any agent as one of ours, with its own title, workspace and times. */
export async function importSession(store: Store, session: DecodedSession, input: ImportInput): Promise<Session> {
  const { owner, workspace, known, key, file } = input
  const log = importedLog(session, known)
  const { id } = await store.createSession({
    owner,
    workspace: session.workspace ?? workspace,
    title: agentTitle(session),
    createdAt: session.startedAt || log.find(({ at }) => at !== 0)?.at,
    key,
  })
  try {
    const check = (earlier: readonly Entry[]) =>
      earlier.length === 0 ? undefined : 'this key was sent before with another file: send a new key'
    await appendAsWritten(store, id, log, { key: file ?? 'import', guard: { since: 0, check } })
  } catch (error) {
    const made = await store.session(id)
    if (made?.lastSeq === 0) await store.deleteSession(id)
    throw error
  }
  const stored = await store.session(id)
  if (stored === undefined) throw new Error('unreachable: the session was just made')
  return stored
}

/** Appends entries of another log with their own times; if no entry has one, with the current time. */
export async function appendAsWritten(
  store: Pick<Store, 'append'>,
  id: SessionId,
  entries: readonly Entry[],
  options: AppendOptions = {},
): Promise<void> {
  const times = timesOf(entries)
  const appended = await store.append(id, entries.map(draftOf), { ...options, times })
  if (!appended.ok) throw new PithError('other-body', appended.reason === 'refused' ? appended.why : appended.reason)
}

/** An entry without a time gets that of the one before it, and the first ones that of the first entry that has one. */
function timesOf(entries: readonly Entry[]): number[] | undefined {
  let last = entries.find(({ at }) => at !== 0)?.at
  if (last === undefined) return undefined
  const times: number[] = []
  for (const { at } of entries) {
    last = at || last
    times.push(last)
  }
  return times
}

function draftOf({ id: _, seq: __, at: ___, ...draft }: Entry): EntryDraft {
  return draft as EntryDraft
}
