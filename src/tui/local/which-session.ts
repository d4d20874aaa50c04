import { type Here, otherFolder } from '../../session/session-folder.ts'
import type { Session, SessionId, Store } from '../../store/store.ts'
import { type SessionList, sessionWithId } from '../port/session-names.ts'
import type { LocalOptions } from './local-setup.ts'

export const OWNER = 'local'

/** The session to open. `elsewhere`: the named session, if it works in another folder; a new one is opened instead, and the user is asked. */
export type SessionChoice = { readonly id: SessionId; readonly elsewhere?: SessionId }

/** The session to open: a new one, the workspace's latest, or the named one. */
export async function whichSession(store: Store, here: Here, open: LocalOptions['open']): Promise<SessionChoice> {
  const { workspace } = here
  const named = open.kind === 'id' ? await namedSession(store, open.id, 'pith --resume') : undefined
  if (named !== undefined && otherFolder(named, here) === undefined) return { id: named.id }
  const latest = open.kind === 'continue' ? await latestSession(store, workspace) : undefined
  const { id } = latest ?? (await store.createSession({ owner: OWNER, workspace }))
  return named === undefined ? { id } : { id, elsewhere: named.id }
}

async function latestSession(store: Store, workspace: string): Promise<Session | undefined> {
  const { sessions } = await store.sessions({ workspace, limit: 20 })
  return sessions.find(({ lastSeq }) => lastSeq > 0)
}

/** A session by its id or the beginning of its id. */
export async function namedSession(store: Store, id: string, list?: SessionList): Promise<Session> {
  const exact = await store.session(id)
  if (exact !== undefined) return exact
  const { sessions } = await store.sessions({ limit: 1_000 })
  return sessionWithId(sessions, id, list)
}
