import { text } from 'node:stream/consumers'
import { agentTrigger, rewriteTrigger } from '../../gateway/modes/mode.ts'
import { runningGateways } from '../../gateway/running-gateways.ts'
import { messageOf } from '../../model/problems/errors.ts'
import { holderOf } from '../../session/compaction/hold-lease.ts'
import { printJson } from '../output/show.ts'
import { loadSetup } from '../setup/setup.ts'
import { modelFacts, startGateway } from '../setup/start-gateway.ts'
import { type GatewayReady, gatewayOrderSchema } from './gateway-process.ts'
import { keepGateway, LOOK_MS, livingProcess } from './keep-gateway.ts'

/** Runs the gateway of one wrapped agent, or the process that keeps it running. It says where it listens, and ends with the agent. */
export async function runWrapGateway(): Promise<void> {
  const { place, ...order } = gatewayOrderSchema.parse(JSON.parse(await text(process.stdin)))
  process.on('SIGHUP', () => undefined)
  try {
    if (place === undefined) return await keepGateway(order, say, terminated())
    const setup = loadSetup({})
    // Notices of gateways that were killed are removed by the look.
    runningGateways(setup.folders.data)
    // The gateway outlives the agent for a moment, in which the agent may be started again: that is a resume, no second window.
    const holder = holderOf(order.watch)
    const { watch, model, trigger, ...wish } = order
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

/** Aborted when this process gets the signal to end. */
function terminated(): AbortSignal {
  const stop = new AbortController()
  process.once('SIGTERM', () => stop.abort())
  return stop.signal
}

function say(line: GatewayReady | { readonly problem: string }): void {
  printJson(line, 'line')
}

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
