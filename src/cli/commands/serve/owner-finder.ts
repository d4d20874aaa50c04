import type { FoundSession, SessionFinder } from '../../../mcp/found-session.ts'
import { PithError } from '../../../model/problems/errors.ts'
import type { Caller } from '../../../server/http/request-env.ts'
import type { Session, SessionQuery, Store } from '../../../store/store.ts'
import { ownSession } from '../../recall/own-session.ts'
import type { Setup } from '../../setup/setup.ts'

type OwnerDeps = {
  readonly setup: Setup
  readonly store: Store
  readonly caller: Caller
  /** The folder that the client says it works in. */
  readonly workspace?: string
}

/** Finds the sessions that a token may see: those of its owner, and no others. */
export function ownerFinder({ setup, store, caller, workspace }: OwnerDeps): SessionFinder {
  const found = (session: Session) => rightsOf(caller, ownSession(session, setup))
  async function* all(query: SessionQuery): AsyncIterable<Session> {
    for (let before: string | undefined; ; ) {
      const page = await store.sessions({ owner: caller.owner, limit: 100, before, ...query })
      yield* page.sessions.filter(({ lastSeq }) => lastSeq > 0)
      if (page.next === undefined) return
      before = page.next
    }
  }
  const newest = async () => {
    for await (const session of all({ workspace })) return session
    return undefined
  }
  return {
    places: { folder: 'the same folder', everything: `this server that belong to ${caller.owner}` },
    current: async () => {
      const session = await newest()
      const where = workspace === undefined ? '' : ' in the folder of this client'
      return session && { session: found(session), why: `the newest of ${caller.owner}${where}` }
    },
    named: async (id) => {
      for await (const session of all({})) if (session.id.startsWith(id)) return found(session)
      return undefined
    },
    within: async function* (scope) {
      const folder = scope === 'folder' ? (workspace ?? (await newest())?.workspace) : undefined
      for await (const session of all({ workspace: folder })) yield found(session)
    },
  }
}

function rightsOf({ name, access }: Caller, session: FoundSession): FoundSession {
  if (access === 'write') return session
  const refuse = async () => {
    throw new PithError('not-allowed', `the token ${name} may only read`)
  }
  return { ...session, pin: refuse, unpin: refuse }
}
