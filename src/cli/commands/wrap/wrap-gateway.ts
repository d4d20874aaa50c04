import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentTrigger, rewriteTrigger } from '../../../gateway/modes/mode.ts'
import { runningGateways } from '../../../gateway/running-gateways.ts'
import { messageOf } from '../../../model/problems/errors.ts'
import { holderOf, isDead } from '../../../session/compaction/hold-lease.ts'
import { printJson } from '../../output/show.ts'
import { loadSetup } from '../../setup/setup.ts'
import { modelFacts, startGateway } from '../../setup/start-gateway.ts'
import { type GatewayOrder, type GatewayReady, gatewayOrderSchema, spawnGateway } from './gateway-process.ts'

/** Runs the gateway of one wrapped agent, or the process that keeps it running. It says where it listens, and ends with the agent. */
export async function runWrapGateway(): Promise<void> {
  const { place, ...order } = gatewayOrderSchema.parse(JSON.parse(await text(process.stdin)))
  process.on('SIGHUP', () => undefined)
  try {
    if (place === undefined) return await keepGateway(order, say)
    const setup = loadSetup({})
    // Notices of gateways that were killed are removed by the look.
    runningGateways(setup.folders.data)
    // The gateway outlives the agent for a moment, in which the agent may be started again: that is a resume, no second window.
    const holder = holderOf(order.watch)
    const { watch, model, trigger, agent: _, ...wish } = order
    const { running, stop, ...started } = await startGateway(setup, { ...wish, ...place, holder })
    const { mode, summaries, policy } = started
    const facts = model === undefined ? {} : modelFacts(setup, model, order.windows)
    say({
      port: running.port,
      prefix: place.prefix,
      holder,
      mode,
      summaries,
      pithTokens: (trigger ?? started.trigger) === 'pith' ? agentTrigger(mode, policy) : undefined,
      rewriteTokens: mode === 'rewrite' ? rewriteTrigger(policy, facts) : undefined,
      knowsWindow: model === undefined ? undefined : facts.contextWindow !== undefined,
    })
    await untilGone(watch)
    await stop()
  } catch (error) {
    say({ problem: messageOf(error) })
    process.exitCode = 1
  }
}

function say(line: GatewayReady | { readonly problem: string }): void {
  printJson(line, 'line')
}

/** How often a process looks whether the agent still runs. */
const LOOK_MS = 500

/** When a process has ended, or this one gets a signal to end. */
function untilGone(pid: number): Promise<void> {
  const isThere = livingProcess(pid)
  return new Promise((resolve) => {
    const look = setInterval(() => {
      if (isThere()) return
      clearInterval(look)
      resolve()
    }, LOOK_MS)
    process.once('SIGTERM', () => resolve(clearInterval(look)))
  })
}

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
 * because the agent got one address when it started. Ends with the agent, or when the gateway was ended in peace.
 */
async function keepGateway(order: GatewayOrder, say: (ready: GatewayReady) => void): Promise<void> {
  const isWatchedAlive = livingProcess(order.watch)
  const prefix = randomBytes(24).toString('base64url')
  let port = 0
  let deaths = 0
  let isEnding = false
  for (;;) {
    const startedAt = performance.now()
    const { child, ready } = spawnGateway({ ...order, place: { port, prefix } })
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve()
    const end = () => {
      isEnding = true
      child.kill('SIGTERM')
    }
    const look = setInterval(() => isWatchedAlive() || end(), LOOK_MS)
    process.once('SIGTERM', end)
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
      process.off('SIGTERM', end)
    }
    if (isEnding || child.exitCode === 0 || !isWatchedAlive()) return
    deaths = performance.now() - startedAt > STEADY_MS ? 0 : deaths + 1
    await sleep(PAUSES_MS[deaths] ?? PAUSES_MS.at(-1))
  }
}
