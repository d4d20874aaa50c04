import { type GatewaySettings, parseGatewaySettings } from '../../config/tables/gateway-settings.ts'
import { type RunningGateway, serveGateway } from '../../gateway/gateway.ts'
import type { ModeName } from '../../gateway/modes/mode.ts'
import { announceGateway } from '../../gateway/running-gateways.ts'
import { ownHolder } from '../../session/compaction/hold-lease.ts'
import { openStore } from '../../store/open-store.ts'
import { gatewayDeps } from './gateway-deps.ts'
import type { Setup } from './setup.ts'

export type GatewayStart = {
  /** The secret in its addresses. */
  readonly prefix: string
  /** Otherwise as the configuration says. */
  readonly mode?: ModeName
  readonly port?: number
  /** Where requests may go beside the known providers. */
  readonly upstreams: Readonly<Record<string, string>>
  readonly log?: (line: string) => void
  /** The process that sessions belong to while it lives; this one by default. */
  readonly holder?: string
}

export type StartedGateway = Pick<GatewaySettings, 'mode' | 'summaries'> & {
  readonly running: RunningGateway
  readonly stop: () => Promise<void>
}

/** The owner of this user's sessions. */
const OWNER = 'local'

/** How long a write may hold up the streams that pass through. What is not recorded then is recorded with the next request. */
const BUSY_MS = 50

/** Starts a gateway with the user's settings, and leaves a notice for `pith gateway status`. */
export async function startGateway(setup: Setup, start: GatewayStart): Promise<StartedGateway> {
  const { settings, placeOf } = setup.config
  const table = parseGatewaySettings(settings.gateway, placeOf)
  const store = await openStore(settings.store, { busyMs: BUSY_MS })
  const { prefix, upstreams, log, holder } = start
  const deps = gatewayDeps(setup, { store, prefix, upstreams, log, holder, mode: start.mode, owner: OWNER })
  const running = await serveGateway(deps, start.port ?? table.port)
  const { mode } = deps
  const { port } = running
  const retract = announceGateway(setup.folders.data, {
    holder: ownHolder(),
    recorder: holder,
    port,
    prefix,
    mode: mode.name,
  })
  const stop = async () => {
    retract()
    await running.stop()
    await store.close()
  }
  return { running, mode: mode.name, summaries: table.summaries, stop }
}
