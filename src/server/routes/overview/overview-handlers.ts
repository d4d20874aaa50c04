import {
  getOverviewRoute,
  searchSessionsRoute,
  type WireOverview,
  type WireSessionFilter,
  type WireShare,
} from '../../../contract/routes/overview-routes.ts'
import { toWire, wireFound } from '../../../contract/shapes/wire.ts'
import { type AccountShare, noSpending, type Spending } from '../../../session/account/session-account.ts'
import { untitledWords } from '../../../session/session-title.ts'
import { LOCAL_OWNER, type Session, type SessionId } from '../../../store/store.ts'
import type { CountedSession } from '../../sessions/accounts.ts'
import type { SearchedAgents } from '../../sessions/agent-sessions.ts'
import type { Services } from '../../sessions/services.ts'
import { type Handler, handler } from '../handler.ts'
import { wireSession } from '../sessions/session-detail.ts'

type Sums = Pick<WireOverview, 'spent' | 'days' | 'tools' | 'files' | 'problems'>

const MOST_DAYS = 90
const MOST_SHARES = 30
const MOST_PROBLEMS = 100

/** The spending of these sessions together, by day, by tool and by file, and their compactions that went wrong. */
function overviewSums(sessions: readonly OverviewSession[]): Sums {
  const spent = noSpending()
  const days = new Map<string, Spending>()
  const tools = new Map<string, AccountShare>()
  const files = new Map<string, AccountShare>()
  for (const { account } of sessions) {
    if (account === undefined) continue
    addTo(spent, account.spent)
    for (const [day, spending] of account.days) addTo(inMap(days, day, noSpending), spending)
    for (const [tool, share] of account.tools) addTo(inMap(tools, tool, noShare), share)
    for (const [file, share] of account.files) addTo(inMap(files, file, noShare), share)
  }
  const newest = [...days].toSorted(([a], [b]) => (a < b ? 1 : -1)).slice(0, MOST_DAYS)
  return {
    spent: toWire(spent),
    days: newest.map(([day, spending]) => ({ day, ...toWire(spending) })),
    tools: largest(tools),
    files: largest(files),
    problems: problemsOf(sessions),
  }
}

function noShare(): AccountShare {
  return { calls: 0, tokens: 0, cost: 0 }
}

function inMap<V>(map: Map<string, V>, key: string, empty: () => V): V {
  const value = map.get(key) ?? empty()
  map.set(key, value)
  return value
}

function addTo<K extends string>(sum: Record<K, number>, more: Readonly<Record<K, number>>): void {
  for (const key in more) sum[key] += more[key]
}

/** The most expensive first; if no price is known, those with the most tokens. */
function largest(shares: ReadonlyMap<string, AccountShare>): WireShare[] {
  return [...shares]
    .toSorted(([, a], [, b]) => b.cost - a.cost || b.tokens - a.tokens)
    .slice(0, MOST_SHARES)
    .map(([name, { calls, tokens, cost }]) => ({ name, calls, tokens: Math.round(tokens), cost }))
}

function problemsOf(sessions: readonly OverviewSession[]): WireOverview['problems'] {
  return sessions
    .flatMap(({ session: { id, title }, account }) =>
      (account?.problems ?? []).map((problem) => ({ session_id: id, title, ...problem })),
    )
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST_PROBLEMS)
}

const getOverview = handler(getOverviewRoute, async ({ query, caller }, services) => {
  const { sessions, side, uncounted } = await overviewSessions(services, caller.owner)
  const chosen = sessions.filter((session) => isChosen(session, query))
  const { sort, offset, limit } = query
  const sums = overviewSums([...chosen, ...side.filter((session) => isChosen(session, query))])
  const byId = new Map(chosen.map(({ session }) => [session.id, session]))
  const sorted = sort === 'changed' ? chosen : chosen.toSorted((a, b) => rank(b, sort) - rank(a, sort))
  return {
    sessions: await Promise.all(sorted.slice(offset, offset + limit).map((each) => overviewSession(each, services))),
    total: chosen.length,
    uncounted,
    ...sums,
    problems: await Promise.all(
      sums.problems.map(async (each) => ({ ...each, ...(await nameOf(byId.get(each.session_id), services)) })),
    ),
    choices: choicesOf(sessions),
  }
})

function rank({ account, status }: OverviewSession, sort: 'cost' | 'fill'): number {
  return (sort === 'cost' ? account?.spent.cost : status?.percent) ?? -1
}

async function overviewSession(
  each: OverviewSession,
  { store, workList }: Services,
): Promise<WireOverview['sessions'][number]> {
  const { session, account, status, agent } = each
  return {
    ...(await wireSession(store, session)),
    agent,
    model: account?.model,
    status,
    spent: account === undefined ? undefined : toWire(account.spent),
    compactions: account?.compactions ?? 0,
    problems: account?.problems.length ?? 0,
    running: workList.running.find((work) => work.session === session.id)?.kind,
  }
}

const MOST_CHOICES = 200

function choicesOf(sessions: readonly OverviewSession[]): WireOverview['choices'] {
  const facet = (of: (session: OverviewSession) => string | undefined) => {
    const counts = new Map<string, number>()
    for (const session of sessions) {
      const name = of(session)
      if (name !== undefined && name !== '') counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const all = [...counts].map(([name, count]) => ({ name, sessions: count }))
    return all.toSorted((a, b) => b.sessions - a.sessions || (a.name < b.name ? -1 : 1)).slice(0, MOST_CHOICES)
  }
  return {
    agents: facet(({ agent }) => agent),
    models: facet(({ account }) => account?.model),
    folders: facet(({ session }) => session.workspace),
  }
}

const searchSessions = handler(searchSessionsRoute, async ({ query, caller }, services) => {
  const { q, limit, offset, ...filter } = query
  const { owner } = caller
  const { sessions } = await overviewSessions(services, owner)
  const chosen = new Map(sessions.flatMap((each) => (isChosen(each, filter) ? [[each.session.id, each] as const] : [])))
  const among = chosen.size === sessions.length ? undefined : [...chosen.keys()]
  const agents = await searchedAgents(services, owner, filter)
  const result = await services.store.search({ text: q, owner, among, beside: agents?.place, limit: limit + 1, offset })
  const found = wireFound(result)
  const hits = found.hits.slice(0, limit).map(async (hit) => {
    const theirs = agents?.names(hit.session_id)
    if (theirs !== undefined) return { ...hit, agent: theirs.agent, title: theirs.title }
    const of = chosen.get(hit.session_id)
    return { ...hit, ...(await nameOf(of?.session, services)), agent: of?.agent ?? 'Pith' }
  })
  const more = found.hits.length > limit
  return { ...found, hits: await Promise.all(hits), more, unindexed: agents?.left }
})

/** The files of other agents, which only the owner of this machine may see. Their costs and sizes are not counted, so no other filter finds them. */
async function searchedAgents(
  { agentFiles, store }: Services,
  owner: string,
  { agent, folder, ...others }: WireSessionFilter,
): Promise<SearchedAgents | undefined> {
  const isOther = Object.values(others).some((value) => value !== undefined)
  return owner !== LOCAL_OWNER || isOther ? undefined : agentFiles?.searched?.(store, { agent, folder })
}

async function nameOf(session: Session | undefined, { store }: Services) {
  return { title: session?.title, first_words: session && (await untitledWords(store, session)) }
}

/** All sessions at once: an overview, and a search in their logs. */
export const overviewHandlers: readonly Handler[] = [getOverview, searchSessions]

/** A session of the overview, with its origin. */
type OverviewSession = CountedSession & { readonly agent: string }

/** All sessions of an owner, and how many of them are not counted yet. */
async function overviewSessions(services: Services, owner: string) {
  const { sessions, side, uncounted } = await services.accounts.of(services, owner)
  const recorded = await services.store.sessions({ owner, isChained: true, limit: Math.max(1, sessions.length) })
  const gateway = new Set(recorded.sessions.map(({ id }) => id))
  return {
    uncounted,
    sessions: sessions.map((each) => ({ ...each, agent: agentOf(each, gateway) })),
    side: side.map((each) => ({ ...each, agent: 'Gateway' })),
  }
}

/** The agent that it was imported from, or else the program that wrote it. */
function agentOf({ session, account }: CountedSession, gateway: ReadonlySet<SessionId>): string {
  return account?.agent ?? (gateway.has(session.id) ? 'Gateway' : 'Pith')
}

type Choice = WireSessionFilter & { readonly q?: string | undefined }

/** True if a session passes the filter. A session that is not counted yet passes only filters that need no counts. */
function isChosen({ session, account, status, agent }: OverviewSession, choice: Choice): boolean {
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
