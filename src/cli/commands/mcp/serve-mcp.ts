import { realpathSync } from 'node:fs'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { formatNamed } from '../../../formats/index.ts'
import type { FoundSession, SessionFinder } from '../../../mcp/found-session.ts'
import { mcpServer } from '../../../mcp/mcp-server.ts'
import { redactedTexts } from '../../../store/search/redacted-texts.ts'
import { LOCAL_OWNER, type SessionQuery, TASK_HOLDER } from '../../../store/store.ts'
import { memoryOnDemand } from '../../memory/starting-page.ts'
import { interruptible } from '../../process/interruptible.ts'
import { keyOrNone } from '../../process/own-seal.ts'
import { packageVersion } from '../../process/package.ts'
import { type DatedSession, ownSession, sessionLog } from '../../recall/own-session.ts'
import { searchMachine } from '../../recall/search-machine.ts'
import { AgentIndex, fileEnds } from '../../sessions/agent-index.ts'
import { findSessionFiles, type SessionFile } from '../../sessions/find-session-files.ts'
import { withRecordSource } from '../../sessions/record-source.ts'
import { FactsCache, ownSessions } from '../../sessions/session-facts.ts'
import { fileSource, type SessionSource } from '../../sessions/session-source.ts'
import { hasStore, loadSetup, type Setup, withStoreToRead } from '../../setup/setup.ts'
import { answerCaller, isRewriting } from './calling-conversation.ts'

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
    memory: memoryOnDemand(setup),
    request: holder === undefined ? undefined : (tool, request) => answerCaller(setup, holder, tool, request),
    search: async (scope, query) => {
      const left = await agents().update({ ...query, withinMs: LONGEST_MS })
      const where = scope === 'folder' ? folders : undefined
      return { ...(await searchMachine(setup, agents(), { ...query, owner: LOCAL_OWNER, folders: where })), left }
    },
    named: async (id) => {
      const all = [...(await allSessions(setup, workspaces)), ...(await ownOnes(setup, { holder: TASK_HOLDER }))]
      const session = all.find((each) => each.id.startsWith(id))
      return session && withSource(await asRecorded(session, setup, agents), setup)
    },
    current: async () => {
      const wrapped = holder === undefined ? undefined : await wrappedSession(setup, holder)
      if (wrapped !== undefined)
        return { session: wrapped, why: 'the newest of this agent, as Pith’s gateway records it' }
      const session = await newest()
      const found = session && withSource(await asRecorded(session, setup, agents), setup)
      return found && { session: found, why: 'the newest of this folder' }
    },
  }
}

/** A file whose conversation a gateway recorded is answered from the store: the handles in its records are those of the store. */
async function asRecorded(file: DatedSession, setup: Setup, agents: () => AgentIndex): Promise<FoundSession> {
  if (file.pin !== undefined || !hasStore(setup)) return file
  const recordingOf = await withStoreToRead(setup, (store) => agents().recordings(store))
  const { entries } = await file.read()
  const stored = recordingOf(fileEnds(entries, keyOrNone(setup.folders.data)))
  return stored === undefined ? file : ownSession(stored, setup, { agent: file.agent, decides: 'agent' })
}

/** A file that Pith wrote begins with the record of another session: its handles are of that one. */
function withSource(session: FoundSession, setup: Setup): FoundSession {
  return { ...session, whole: ({ entries }, to) => withRecordSource(entries, { setup, to, owner: LOCAL_OWNER }) }
}

/** How long a search waits for the index. Clients give up on a call after a minute. */
const LONGEST_MS = 20_000

async function wrappedSession(setup: Setup, holder: string): Promise<FoundSession | undefined> {
  if (!hasStore(setup)) return undefined
  const { sessions } = await withStoreToRead(setup, (store) => store.sessions({ owner: LOCAL_OWNER, holder, limit: 1 }))
  const decides = isRewriting(setup, holder) ? 'policy' : 'agent'
  return sessions[0] && ownSession(sessions[0], setup, { agent: 'the wrapped agent', decides })
}

/** The newest first. Only names and dates are read. */
async function allSessions(setup: Setup, workspaces: Map<string, string | undefined>): Promise<DatedSession[]> {
  const own = await ownOnes(setup)
  const cache = new FactsCache()
  const files = findSessionFiles().map((file) => agentSession(file, { setup, cache, workspaces }))
  return [...own, ...files].toSorted((a, b) => b.modifiedAt - a.modifiedAt)
}

/** Our own sessions. Those of sub-agents have a holder of their own. */
async function ownOnes(setup: Setup, query: SessionQuery = {}): Promise<DatedSession[]> {
  if (!hasStore(setup)) return []
  const own = await withStoreToRead(setup, (store) => ownSessions(store, { owner: LOCAL_OWNER, ...query }))
  return own.map((session) => ownSession(session, setup))
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
