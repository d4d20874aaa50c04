import type { WireOverview, WireShare } from '../../../contract/routes/overview-routes.ts'
import { toWire } from '../../../contract/shapes/wire.ts'
import { type AccountShare, noSpending, type Spending } from '../../../session/account/session-account.ts'
import type { OverviewSession } from './session-choice.ts'

type Sums = Pick<WireOverview, 'spent' | 'days' | 'tools' | 'files' | 'problems'>

const MOST_DAYS = 90
const MOST_SHARES = 30
const MOST_PROBLEMS = 100

/** What these sessions spent together: by day, by tool and by file; and their compactions that went wrong. */
export function overviewSums(sessions: readonly OverviewSession[]): Sums {
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

/** The most expensive first; where no price is known, those with the most tokens. */
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
