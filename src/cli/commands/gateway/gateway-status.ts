import type { FlagKey } from '../../../config/index.ts'
import { bytes, count, counted, elapsed } from '../../../engine/report/numbers.ts'
import { storedBills } from '../../../gateway/bills.ts'
import { type Bill, joinedBills, priceText, type Totals } from '../../../gateway/recording/bill.ts'
import {
  type GatewayNotice,
  type GatewayStatus,
  gatewayStatus,
  runningGateways,
  statusAt,
} from '../../../gateway/running-gateways.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { dateTime } from '../../../model/text.ts'
import { cellText, columns, print } from '../../output/show.ts'
import { loadSetup } from '../../setup/setup.ts'
import type { StatusFlags } from './gateway.ts'

const SHOWN = 20

/** Prints the last requests of every gateway that runs on this machine, and the bill of all, also of those that have ended. */
export async function printStatus(of: StatusFlags, flags: Partial<Record<FlagKey, string>>): Promise<void> {
  if (of.server !== undefined) {
    for (const line of await serverLines(of.server, of.token ?? process.env.PITH_TOKEN)) print(line)
    return
  }
  const { data } = loadSetup(flags).folders
  const notices = runningGateways(data)
  if (notices.length === 0) print('No gateway is running.')
  for (const notice of notices) for (const line of await statusLines(notice)) print(line)
  for (const line of billLines(joinedBills(storedBills(data)))) print(line)
}

const SHOWN_DAYS = 14

/** The bill by day and agent, the newest first, and the last cache misses with both explanations. */
function billLines({ days }: Bill): string[] {
  const shown = Object.keys(days).toSorted().toReversed().slice(0, SHOWN_DAYS)
  const entries = shown.flatMap((day) =>
    Object.entries(days[day] ?? {}).map(([agent, totals]) => ({ day, agent, totals })),
  )
  if (entries.length === 0) return []
  const rows = entries.map(({ day, agent, totals }) => [
    day,
    cellText(agent),
    count(totals.requests),
    count(totals.compactions),
    count(totals.inputTokens),
    count(totals.cachedTokens),
    count(totals.outputTokens),
    priceText(totals),
    totals.misses === 0 ? '0' : `${count(totals.misses)} (${count(totals.missedTokens)} tokens)`,
  ])
  const names = ['day', 'agent', 'requests', 'compactions', 'tokens', 'cached', 'answers', 'cost', 'cache misses']
  return ['', ...columns([names, ...rows]), ...missLines(entries)]
}

function missLines(entries: readonly { readonly agent: string; readonly totals: Totals }[]): string[] {
  const misses = entries
    .flatMap(({ agent, totals }) => totals.lastMisses.map((miss) => ({ agent, ...miss })))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, SHOWN)
  if (misses.length === 0) return []
  const rows = misses.map(({ at, agent, tokens, guess, reported }) => [
    dateTime(at),
    cellText(agent),
    count(tokens),
    cellText(guess),
    cellText(reported ?? ''),
  ])
  return ['', ...columns([['cache miss', 'agent', 'tokens', 'reason by our guess', "the provider's reason"], ...rows])]
}

async function statusLines(notice: GatewayNotice): Promise<string[]> {
  const status = await gatewayStatus(notice)
  return status === undefined
    ? [`Port ${notice.port}: it does not answer.`]
    : requestLines(`Port ${notice.port}`, status)
}

/** The requests of a token through a server, as the process knows them that answers. */
async function serverLines(address: string, token: string | undefined): Promise<string[]> {
  const { serverOf } = await import('../../../tui/remote/remote-port.ts')
  const server = serverOf(address, token)
  const status = await statusAt(new URL('gateway', server.url.replace(/\/*$/, '/')).href, server.token)
  if (status === undefined)
    throw new PithError(
      'bad-argument',
      `no gateway answers at ${server.url} to this token: it must be one that may write and was not removed`,
    )
  return requestLines(server.url, status)
}

function requestLines(where: string, { mode, requests, records }: GatewayStatus): string[] {
  const head = `${where}: mode ${mode}, ${counted(requests, 'request')}`
  if (records.length === 0) return [head]
  const rows = records
    .slice(-SHOWN)
    .map((record) => [
      new Date(record.at).toISOString().slice(11, 19),
      cellText(`${record.upstream}${record.path}`),
      String(record.status ?? ''),
      bytes(record.bytesIn),
      bytes(record.bytesOut),
      record.inputTokens === undefined ? '' : count(record.inputTokens),
      record.cachedTokens === undefined ? '' : count(record.cachedTokens),
      elapsed(record.ownMs, 1),
      record.session?.slice(0, 8) ?? '',
      cellText(record.why),
    ])
  const names = ['time', 'request', 'status', 'in', 'out', 'tokens', 'cached', 'own time', 'session', 'why']
  return [head, ...columns([names, ...rows])]
}
