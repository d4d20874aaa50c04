import { type GatewaySettings, parseGatewaySettings } from '../../config/gateway-settings.ts'
import type { ModeName } from '../../gateway/modes/mode.ts'
import { modeNamed } from '../../gateway/modes/modes.ts'
import { installationKey } from '../../gateway/records/installation-key.ts'
import { announceGateway } from '../../gateway/running-gateways.ts'
import { type RunningGateway, serveGateway } from '../../gateway/serve-gateway.ts'
import { knownUpstreams } from '../../gateway/upstream/known-upstreams.ts'
import { summaryModelsFor } from '../../llm/summary-models-for.ts'
import { policyOf } from '../../model/presets.ts'
import type { SummaryModel } from '../../model/summary-model.ts'
import { ownHolder } from '../../session/holder.ts'
import { openStore } from '../../store/open-store.ts'
import { modelNamed, openNamedModel } from './named-model.ts'
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
  const { settings, workspace } = setup.config
  const table = parseGatewaySettings(settings.gateway)
  const [holder, key, clock] = [ownHolder(), installationKey(setup.folders.data), Date.now]
  const store = await openStore(settings.store, { busyMs: BUSY_MS })
  const mode = modeNamed(start.mode ?? table.mode, {
    store,
    key,
    holder,
    clock,
    owner: OWNER,
    policy: settings.policy,
    summaries: table.summaries,
    configured: () => configuredModels(setup),
    modelInfo: (upstream, model) => modelNamed(setup, `${upstream}/${model}`),
  })
  const running = await serveGateway(
    {
      store,
      mode,
      holder,
      key,
      clock,
      prefix: start.prefix,
      upstreams: knownUpstreams(settings.providers, { ...table.upstreams, ...start.upstreams }),
      owner: OWNER,
      workspace,
      log: start.log,
    },
    start.port ?? table.port,
  )
  const { port } = running
  const retract = announceGateway(setup.folders.data, { holder, port, prefix: start.prefix, mode: mode.name })
  const stop = async () => {
    retract()
    await running.stop()
    await store.close()
  }
  return { running, mode: mode.name, summaries: table.summaries, stop }
}

async function configuredModels({ config, models }: Setup): Promise<readonly SummaryModel[]> {
  const { model, missing } = await openNamedModel(config.settings.model, models)
  if (missing !== undefined) return []
  return summaryModelsFor(policyOf(config.settings.policy).summaryModel, model, models).models
}
