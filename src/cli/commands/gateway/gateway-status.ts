import type { FlagKey } from '../../../config/index.ts'
import { bytes, count, counted, elapsed } from '../../../engine/report/numbers.ts'
import { type GatewayNotice, gatewayStatus, runningGateways } from '../../../gateway/running-gateways.ts'
import { cellText, columns, print } from '../../output/show.ts'
import { loadSetup } from '../../setup/setup.ts'

const SHOWN = 20

/** Prints the last requests of every gateway that runs on this machine. */
export async function printStatus(flags: Partial<Record<FlagKey, string>>): Promise<void> {
  const notices = runningGateways(loadSetup(flags).folders.data)
  if (notices.length === 0) print('No gateway is running.')
  for (const notice of notices) for (const line of await statusLines(notice)) print(line)
}

async function statusLines(notice: GatewayNotice): Promise<string[]> {
  const { port } = notice
  const status = await gatewayStatus(notice)
  if (status === undefined) return [`Port ${port}: it does not answer.`]
  const { mode, requests, records } = status
  const head = `Port ${port}: mode ${mode}, ${counted(requests, 'request')}`
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
