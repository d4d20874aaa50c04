import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { holderOf, isDead } from '../../session/compaction/hold-lease.ts'
import { type GatewayOrder, type GatewayReady, spawnGateway } from './gateway-process.ts'

/** How often a process looks whether the agent still runs. */
export const LOOK_MS = 500

/** True while a process lives. A parent is looked at as such: its number cannot be another's. */
export function livingProcess(pid: number): () => boolean {
  return process.ppid === pid ? () => process.ppid === pid : () => !isDead(holderOf(pid))
}

/** How long it waits before it starts the gateway again, by the deaths in a row. */
const PAUSES_MS = [0, 200, 1_000, 5_000]

/** After this time, another death does not count as one more in a row. */
const STEADY_MS = 60_000

/**
 * Keeps the gateway of a wrapped agent running: it is started again on the same port and under the same prefix when it dies,
 * because the agent got one address when it started. Ends with the agent, at the signal, or when the gateway was ended in peace.
 */
export async function keepGateway(
  order: GatewayOrder,
  say: (ready: GatewayReady) => void,
  signal: AbortSignal,
): Promise<void> {
  const isWatchedAlive = livingProcess(order.watch)
  const prefix = randomBytes(24).toString('base64url')
  let port = 0
  let deaths = 0
  for (;;) {
    const startedAt = performance.now()
    const { child, ready } = spawnGateway({ ...order, place: { port, prefix } })
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve()
    const end = () => void child.kill('SIGTERM')
    const look = setInterval(() => isWatchedAlive() || end(), LOOK_MS)
    signal.addEventListener('abort', end)
    try {
      const said = await ready.catch((error: unknown) => {
        // One that says why it cannot start may listen already, and would continue.
        child.kill('SIGTERM')
        if (port === 0) throw error
      })
      if (port === 0 && said !== undefined) say(said)
      port = said?.port ?? port
      await ended
    } finally {
      clearInterval(look)
      signal.removeEventListener('abort', end)
    }
    if (signal.aborted || child.exitCode === 0 || !isWatchedAlive()) return
    deaths = performance.now() - startedAt > STEADY_MS ? 0 : deaths + 1
    await sleep(PAUSES_MS[deaths] ?? PAUSES_MS.at(-1))
  }
}
