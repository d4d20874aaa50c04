import type { WireSessionFilter } from '../../../contract/routes/overview-routes.ts'
import type { Session, SessionId } from '../../../store/store.ts'
import type { CountedSession } from '../../sessions/accounts.ts'
import type { Services } from '../../sessions/services.ts'

/** A session of the overview, with its origin. */
export type OverviewSession = CountedSession & { readonly agent: string }

/** All sessions of an owner, and how many of them are not counted yet. */
export async function overviewSessions(services: Services, owner: string) {
  const { sessions, uncounted } = await services.accounts.of(services, owner)
  const recorded = await services.store.sessions({ owner, isChained: true, limit: Math.max(1, sessions.length) })
  const gateway = new Set(recorded.sessions.map(({ id }) => id))
  return { uncounted, sessions: sessions.map((each) => ({ ...each, agent: agentOf(each, gateway) })) }
}

/** The agent that it was imported from, or else the program that wrote it. */
function agentOf({ session, account }: CountedSession, gateway: ReadonlySet<SessionId>): string {
  return account?.agent ?? (gateway.has(session.id) ? 'Gateway' : 'Pith')
}

type Choice = WireSessionFilter & { readonly q?: string | undefined }

/** True if a session passes the filter. A session that is not counted yet passes only filters that need no counts. */
export function isChosen({ session, account, status, agent }: OverviewSession, choice: Choice): boolean {
  const { q = '', model, folder, level, min_cost, problems } = choice
  if (choice.agent !== undefined && choice.agent !== agent) return false
  if (folder !== undefined && folder !== session.workspace) return false
  if (model !== undefined && model !== account?.model) return false
  if (level !== undefined && level !== status?.level) return false
  if (min_cost !== undefined && (account?.spent.cost ?? -1) < min_cost) return false
  if (problems === 'true' && (account?.problems.length ?? 0) === 0) return false
  return q === '' || hasWords(session, q)
}

function hasWords({ title = '', workspace }: Session, words: string): boolean {
  return `${title}\n${workspace}`.toLowerCase().includes(words.trim().toLowerCase())
}
