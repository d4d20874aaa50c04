import { setTimeout as sleep } from 'node:timers/promises'
import { dataFolder } from '../../config/places/folders.ts'
import { note } from '../output/show.ts'
import { endAs, type ProgramEnd } from '../process/waiting-program.ts'
import type { GatewayOrder, GatewayReady } from './gateway-process.ts'
import { keepGateway } from './keep-gateway.ts'

/** A gateway that this process keeps running. */
export type KeptGateway = { readonly ready: Promise<GatewayReady>; end(): Promise<void> }

/** Keeps a gateway running in this process, which stays while the agent runs. */
export function keptGateway(order: GatewayOrder): KeptGateway {
  const stop = new AbortController()
  const { promise: ready, resolve, reject } = Promise.withResolvers<GatewayReady>()
  const kept = keepGateway(order, resolve, stop.signal).catch(reject)
  return {
    ready,
    end() {
      stop.abort()
      return kept
    },
  }
}

/** A gateway that ends a summary in the background may need longer. The shell does not wait for it. */
const LONGEST_END_MS = 3_000

/** When the agent has ended: its bill in one line, and the same end. */
export async function endWithBill(end: ProgramEnd, run: string, gateway: KeptGateway): Promise<void> {
  // The terminal may be gone.
  process.stderr.on('error', () => undefined)
  const patience = new AbortController()
  await Promise.race([
    gateway.end(),
    sleep(LONGEST_END_MS, undefined, { signal: patience.signal }).catch(() => undefined),
  ])
  patience.abort()
  const [{ billOf }, { billText, billTotals }] = await Promise.all([
    import('../../gateway/bills.ts'),
    import('../../gateway/recording/bill.ts'),
  ])
  const bill = billOf(dataFolder(), run)
  if (bill !== undefined) note(`Pith: ${billText(billTotals(bill))}`)
  endAs(end)
}
