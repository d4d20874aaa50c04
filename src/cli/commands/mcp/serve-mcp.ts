import { realpathSync } from 'node:fs'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { formatNamed } from '../../../formats/index.ts'
import { runningGateways } from '../../../gateway/running-gateways.ts'
import type { FoundSession, SessionFinder } from '../../../mcp/found-session.ts'
import { mcpServer } from '../../../mcp/mcp-server.ts'
import { isRecordedIn, storedEnds } from '../../../session/conversation-ends.ts'
import { redactedTexts } from '../../../store/search/redacted-texts.ts'
import { LOCAL_OWNER } from '../../../store/store.ts'
import { interruptible } from '../../process/interruptible.ts'
import { keyOrNone } from '../../process/own-seal.ts'
import { packageVersion } from '../../process/package.ts'
import { type DatedSession, ownSession, sessionLog } from '../../recall/own-session.ts'
import { searchMachine } from '../../recall/search-machine.ts'
import { AgentIndex, fileEnds } from '../../sessions/agent-index.ts'
import { findSessionFiles, type SessionFile } from '../../sessions/find-session-files.ts'
import { FactsCache, ownSessions } from '../../sessions/session-facts.ts'
import { fileSource, type SessionSource } from '../../sessions/session-source.ts'
import { hasStore, loadSetup, type Setup, withStoreToRead } from '../../setup/setup.ts'

/** Serves MCP on standard input and output until the client closes them. */
export async function serveMcp(): Promise<void> {
  const setup = loadSetup({})
  let index: AgentIndex | undefined
  const agents = () => (index ??= new AgentIndex(setup.folders.data))
  const finder = sessionFinder(setup, { folder: process.cwd(), holder: process.env.PITH_WRAPPED, agents })
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
    await index?.close()
  })
}

/**
 * Finds the sessions of this machine: ours and those of other agents. `holder` is the gateway of a wrapped agent. A store may
 * also have sessions of others, who use this machine as their server: nobody gets those here.
 */
function sessionFinder(
  setup: Setup,
  { folder, holder, agents }: { readonly folder: string; readonly holder?: string; readonly agents: () => AgentIndex },
): SessionFinder {
  const folders = new Set([folder, realpathSync(folder)])
  const workspaces = new Map<string, string | undefined>()
  const newest = async () => {
    for (const session of await allSessions(setup, workspaces))
      if (folders.has((await session.workspace()) ?? '')) return session
    return undefined
  }
  return {
    search: async (scope, query) => {
      const left = await agents().update({ ...query, withinMs: LONGEST_MS })
      const where = scope === 'folder' ? folders : undefined
      return { ...(await searchMachine(setup, agents(), { ...query, owner: LOCAL_OWNER, folders: where })), left }
    },
    named: async (id) => {
      const session = (await allSessions(setup, workspaces)).find((each) => each.id.startsWith(id))
      return session && asRecorded(session, setup)
    },
    current: async () => {
      const wrapped = holder === undefined ? undefined : await wrappedSession(setup, holder)
      if (wrapped !== undefined)
        return { session: wrapped, why: 'the newest of this agent, as Pith’s gateway records it' }
      const session = await newest()
      return session && { session: await asRecorded(session, setup), why: 'the newest of this folder' }
    },
  }
}

/** A file whose conversation a gateway recorded is answered from the store: the handles in its records are those of the store. */
async function asRecorded(file: DatedSession, setup: Setup): Promise<FoundSession> {
  if (file.pin !== undefined || !hasStore(setup)) return file
  return withStoreToRead(setup, async (store) => {
    const { sessions } = await store.sessions({ owner: LOCAL_OWNER, isChained: true, limit: MOST_RECORDED })
    if (sessions.length === 0) return file
    const { entries } = await file.read()
    const ends = fileEnds(entries, keyOrNone(setup.folders.data))
    for (const session of sessions) {
      if (!isRecordedIn(ends, session.id, await storedEnds(store, session.id))) continue
      return ownSession(session, setup, { agent: file.agent, decides: 'agent' })
    }
    return file
  })
}

/** How many of the newest sessions of gateways are compared with a file. */
const MOST_RECORDED = 50

/** How long a search waits for the index. Clients give up on a call after a minute. */
const LONGEST_MS = 20_000

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
    read: async () => {
      const log = sessionLog(await source())
      return { ...log, entries: redactedTexts(setup.folders.data).hidden(log.entries) }
    },
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
