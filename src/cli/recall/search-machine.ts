import type { NamedSession, WideResult } from '../../mcp/found-session.ts'
import type { SearchResult } from '../../search/hits.ts'
import { searchIndexed } from '../../search/indexed-sessions.ts'
import { type SessionId, TASK_HOLDER } from '../../store/store.ts'
import type { AgentIndex } from '../sessions/agent-index.ts'
import { hasStore, type Setup, sessionsIn, withStoreToRead } from '../setup/setup.ts'
import { idsOf, namedSessions } from './own-session.ts'

type MachineQuery = {
  readonly text: string
  readonly limit: number
  readonly offset?: number
  /** Only stored sessions of this owner; of all, if absent. */
  readonly owner?: string
  /** Only sessions of one of these folders. */
  readonly folders?: ReadonlySet<string>
}

/** Searches our sessions and those of other agents on this machine, ranked together. */
export async function searchMachine(setup: Setup, agents: AgentIndex, query: MachineQuery): Promise<WideResult> {
  const { folders, ...wanted } = query
  const withAgents = (result: SearchResult, ours?: ReadonlyMap<SessionId, NamedSession>): WideResult => {
    const theirs = result.hits.flatMap(({ session }) => {
      const named = agents.session(session)
      return named === undefined ? [] : [[session, named] as const]
    })
    return { ...result, sessions: new Map([...(ours ?? []), ...theirs]) }
  }
  if (!hasStore(setup)) return withAgents(await searchIndexed(agents.place({ folders }), wanted.text, wanted))
  return withStoreToRead(setup, async (store) => {
    const { owner } = wanted
    const beside = agents.place({ folders, without: await agents.recorded(store, folders) })
    const inFolder = async (workspace: string) => [
      ...(await idsOf(sessionsIn(store, { owner, workspace }))),
      ...(await idsOf(sessionsIn(store, { owner, workspace, holder: TASK_HOLDER }))),
    ]
    const among = folders && (await Promise.all([...folders].map(inFolder))).flat()
    const result = await store.search({ ...wanted, among, beside })
    const ours = result.hits.filter(({ session }) => !beside.has(session))
    return withAgents(result, await namedSessions(store, ours))
  })
}
