import { realpathSync } from 'node:fs'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { formatNamed } from '../../../formats/index.ts'
import { runningGateways } from '../../../gateway/running-gateways.ts'
import type { FoundSession, SessionFinder } from '../../../mcp/found-session.ts'
import { mcpServer } from '../../../mcp/mcp-server.ts'
import { LOCAL_OWNER } from '../../../store/store.ts'
import { interruptible } from '../../process/interruptible.ts'
import { packageVersion } from '../../process/package.ts'
import { type DatedSession, ownSession, sessionLog } from '../../recall/own-session.ts'
import { findSessionFiles, type SessionFile } from '../../sessions/find-session-files.ts'
import { FactsCache, ownSessions } from '../../sessions/session-facts.ts'
import { fileSource, type SessionSource } from '../../sessions/session-source.ts'
import { hasStore, loadSetup, type Setup, withStoreToRead } from '../../setup/setup.ts'

/** Serves MCP on standard input and output until the client closes them. */
export async function serveMcp(): Promise<void> {
  const finder = sessionFinder(loadSetup({}), { folder: process.cwd(), holder: process.env.PITH_WRAPPED })
  const server = mcpServer(finder, { version: packageVersion() })
  await interruptible(async (signal) => {
    const ended = new Promise<void>((resolve) => {
      process.stdin.once('end', resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      server.onclose = resolve
    })
    await server.connect(new StdioServerTransport())
    await ended
    await server.close()
  })
}

/**
 * Finds the sessions of this machine: ours and those of other agents. `holder` is the gateway of a wrapped agent. A store may
 * also have sessions of others, who use this machine as their server: nobody gets those here.
 */
function sessionFinder(
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
  const own = hasStore(setup) ? await withStoreToRead(setup, (store) => ownSessions(store, LOCAL_OWNER)) : []
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
