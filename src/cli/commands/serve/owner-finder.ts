import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { loadConfig } from '../../../config/index.ts'
import type { FoundSession, SessionFinder } from '../../../mcp/found-session.ts'
import { PithError } from '../../../model/problems/errors.ts'
import type { Caller } from '../../../server/http/http-error.ts'
import { LOCAL_OWNER, type Session, type SessionQuery, type Store } from '../../../store/store.ts'
import { memoryOnDemand } from '../../memory/starting-page.ts'
import { idsOf, namedSessions, ownSession } from '../../recall/own-session.ts'
import { type Setup, sessionsIn } from '../../setup/setup.ts'

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
    for await (const session of sessionsIn(store, { owner: caller.owner, limit: 100, ...query }))
      if (session.lastSeq > 0) yield session
  }
  const newest = async () => {
    for await (const session of all({ workspace })) return session
    return undefined
  }
  /** Nobody knows which project a client is in that does not say so. */
  const refuseSeveral = async () => {
    const { sessions } = await store.sessions({ owner: caller.owner, limit: 100 })
    const folders = new Set(sessions.filter(({ lastSeq }) => lastSeq > 0).map((session) => session.workspace))
    if (folders.size > 1) throw new PithError('unknown-session', SEVERAL_FOLDERS)
  }
  return {
    memory: workspace !== undefined && caller.owner === LOCAL_OWNER ? localMemory(setup, workspace) : undefined,
    places: { folder: 'the same folder', everything: `this server that belong to ${caller.owner}` },
    current: async () => {
      if (workspace === undefined) await refuseSeveral()
      const session = await newest()
      const where = workspace === undefined ? '' : ' in the folder of this client'
      return session && { session: found(session), why: `the newest of ${caller.owner}${where}` }
    },
    named: async (id) => {
      for await (const session of all({})) if (session.id.startsWith(id)) return found(session)
      return undefined
    },
    search: async (scope, { text, limit }) => {
      if (scope === 'folder' && workspace === undefined) await refuseSeveral()
      const folder = scope === 'folder' ? (workspace ?? (await newest())?.workspace) : undefined
      const among = folder === undefined ? undefined : await idsOf(all({ workspace: folder }))
      const result = await store.search({ text, limit, owner: caller.owner, among })
      return { ...result, sessions: await namedSessions(store, result.hits) }
    },
  }
}

/** The memory is made from the sessions of the user of this machine, and nobody else gets it. */
function localMemory({ folders }: Setup, workspace: string): SessionFinder['memory'] {
  return isAbsolute(workspace) && existsSync(workspace)
    ? memoryOnDemand({ config: loadConfig({ cwd: workspace }), folders })
    : undefined
}

const SEVERAL_FOLDERS =
  'There are sessions of several folders here, and this client does not say which one it works in. Add `?workspace=` and the folder to the address of this server, or search with `scope: everything` and recall with the `session` of a hit.'

function rightsOf({ name, access }: Caller, session: FoundSession): FoundSession {
  if (access === 'write') return session
  const refuse = async () => {
    throw new PithError('not-allowed', `the token ${name} may only read`)
  }
  return { ...session, pin: refuse, unpin: refuse }
}
