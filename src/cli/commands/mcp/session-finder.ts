import { realpathSync } from 'node:fs'
import { formatNamed } from '../../../formats/index.ts'
import { runningGateways } from '../../../gateway/running-gateways.ts'
import type { FoundSession, SessionFinder } from '../../../mcp/found-session.ts'
import { LOCAL_OWNER } from '../../../server/access/tokens.ts'
import { type DatedSession, ownSession, recordOf, sessionLog } from '../../recall/own-session.ts'
import { FactsCache } from '../../sessions/facts-cache.ts'
import { findSessionFiles } from '../../sessions/find-session-files.ts'
import { ownSessions } from '../../sessions/own-sessions.ts'
import type { SessionFile } from '../../sessions/session-file.ts'
import { fileSource, type SessionSource } from '../../sessions/session-source.ts'
import { hasStore, type Setup, withStoreToRead } from '../../setup/setup.ts'

/**
 * Finds the sessions of this machine: ours and those of other agents. `holder` is the gateway of a wrapped agent. A store may
 * also have sessions of others, who use this machine as their server: nobody gets those here.
 */
export function sessionFinder(
  setup: Setup,
  { folder, holder }: { readonly folder: string; readonly holder?: string },
): SessionFinder {
  const folders = new Set([folder, realpathSync(folder)])
  const workspaces = new Map<string, string | undefined>()
  async function* within(scope: 'folder' | 'everything'): AsyncIterable<DatedSession> {
    for (const session of await allSessions(setup, workspaces)) {
      if (scope === 'everything' || folders.has((await session.workspace()) ?? '')) yield session
    }
  }
  return {
    within,
    named: async (id) => (await allSessions(setup, workspaces)).find((session) => session.id.startsWith(id)),
    current: async () => {
      const wrapped = holder === undefined ? undefined : await wrappedSession(setup, holder)
      if (wrapped !== undefined)
        return { session: wrapped, why: 'the newest of this agent, as Pith’s gateway records it' }
      for await (const session of within('folder')) return { session, why: 'the newest of this folder' }
      return undefined
    },
  }
}

async function wrappedSession(setup: Setup, holder: string): Promise<FoundSession | undefined> {
  if (!hasStore(setup)) return undefined
  const { sessions } = await withStoreToRead(setup, (store) => store.sessions({ owner: LOCAL_OWNER, holder, limit: 1 }))
  const gateways = runningGateways(setup.folders.data)
  const isRewritten = gateways.some(({ recorder, mode }) => recorder === holder && mode === 'rewrite')
  return (
    sessions[0] &&
    ownSession(sessions[0], setup, { agent: 'the wrapped agent', decides: isRewritten ? 'policy' : 'agent' })
  )
}

/** The newest first. Only names and dates are read. */
async function allSessions(setup: Setup, workspaces: Map<string, string | undefined>): Promise<DatedSession[]> {
  const own = hasStore(setup)
    ? await withStoreToRead(setup, (store) => ownSessions(store, Number.POSITIVE_INFINITY, LOCAL_OWNER))
    : []
  const cache = new FactsCache()
  const files = findSessionFiles().map((file) => agentSession(file, { setup, cache, workspaces }))
  return [...own.map((session) => ownSession(session, setup)), ...files].toSorted((a, b) => b.modifiedAt - a.modifiedAt)
}

type FileDeps = {
  readonly setup: Setup
  readonly cache: FactsCache
  readonly workspaces: Map<string, string | undefined>
}

function agentSession(file: SessionFile, { setup, cache, workspaces }: FileDeps): DatedSession {
  const source = () => fileSource(file, setup)
  const key = `${file.path}#${file.id}`
  return {
    id: file.id,
    agent: formatNamed(file.format).label,
    modifiedAt: file.modifiedAt,
    workspace: async () => {
      // A session stays in its folder while it grows.
      if (!workspaces.has(key)) workspaces.set(key, await workspaceOf(file, cache, source))
      return workspaces.get(key)
    },
    read: async () => sessionLog(await source()),
    record: async () => recordOf(await source(), setup),
  }
}

async function workspaceOf(
  file: SessionFile,
  cache: FactsCache,
  source: () => Promise<SessionSource>,
): Promise<string | undefined> {
  const known = cache.get(file)
  if (known !== undefined) return 'unreadable' in known ? undefined : known.workspace
  return source().then(
    ({ session }) => session.workspace,
    () => undefined,
  )
}
