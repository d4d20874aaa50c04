import { text } from 'node:stream/consumers'
import { agentTrigger } from '../../../gateway/modes/mode.ts'
import { runningGateways } from '../../../gateway/running-gateways.ts'
import { holderOf } from '../../../session/compaction/hold-lease.ts'
import { printJson } from '../../output/show.ts'
import { loadSetup } from '../../setup/setup.ts'
import { startGateway } from '../../setup/start-gateway.ts'
import { type GatewayReady, gatewayOrderSchema } from './gateway-process.ts'
import { keepGateway } from './keep-gateway.ts'
import { livingProcess } from './process-end.ts'

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
    const { running, stop, mode, summaries } = await startGateway(setup, { ...order, ...place, holder })
    const { port } = running
    const { prefix } = place
    const triggerTokens = agentTrigger(mode, setup.config.policy)
    say({ port, prefix, holder, mode, summaries, triggerTokens })
    await untilGone(order.watch)
    await stop()
  } catch (error) {
    say({ problem: error instanceof Error ? error.message : String(error) })
    process.exitCode = 1
  }
}

function say(line: GatewayReady | { readonly problem: string }): void {
  printJson(line, 'line')
}

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
