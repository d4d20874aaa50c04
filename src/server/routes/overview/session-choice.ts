import type { WireSessionFilter } from '../../../contract/routes/overview-routes.ts'
import type { Session, SessionId } from '../../../store/store.ts'
import type { CountedSession } from '../../sessions/accounts.ts'
import type { Services } from '../../sessions/services.ts'

/** A session of the overview, with where it comes from. */
export type OverviewSession = CountedSession & { readonly agent: string }

/** All sessions of an owner, and how many of them are not counted yet. */
export async function overviewSessions(services: Services, owner: string) {
  const { sessions, uncounted } = await services.accounts.of(services, owner)
  const recorded = await services.store.sessions({ owner, isChained: true, limit: Math.max(1, sessions.length) })
  const gateway = new Set(recorded.sessions.map(({ id }) => id))
  return { uncounted, sessions: sessions.map((each) => ({ ...each, agent: agentOf(each, gateway) })) }
}

/** The agent that it was imported from; else who wrote it. */
function agentOf({ session, account }: CountedSession, gateway: ReadonlySet<SessionId>): string {
  return account?.agent ?? (gateway.has(session.id) ? 'Gateway' : 'Pith')
}

type Choice = WireSessionFilter & { readonly q?: string | undefined }

/** Whether a session is one of those that were asked for. What is not counted yet is only in an overview of all. */
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
