import { randomUUID } from 'node:crypto'
import { installationKey } from '../../config/places/installation-key.ts'
import { type GatewaySettings, parseGatewaySettings } from '../../config/tables/program-settings.ts'
import { RunBill } from '../../gateway/bills.ts'
import type { BillDeps } from '../../gateway/charges.ts'
import { type GatewayDeps, type RunningGateway, serveGateway } from '../../gateway/gateway.ts'
import type { ModeName } from '../../gateway/modes/mode.ts'
import { modeNamed, REWRITE_POLICY } from '../../gateway/modes/modes.ts'
import { announceGateway } from '../../gateway/running-gateways.ts'
import { knownUpstreams } from '../../gateway/upstream/upstream.ts'
import { summaryModelsFor } from '../../llm/summary-models-for.ts'
import type { Policy, PolicyPatch } from '../../model/policy/policy.ts'
import { policyOf } from '../../model/policy/presets.ts'
import { type ModelInfo, modelName, type SummaryModel } from '../../model/types.ts'
import { modelNamed } from '../../models/registry.ts'
import { ownHolder } from '../../session/compaction/hold-lease.ts'
import { openStore } from '../../store/open-store.ts'
import { LOCAL_OWNER } from '../../store/store.ts'
import { openNamedModel, type Setup } from './setup.ts'

type GatewayStart = Omit<GatewayWish, 'store' | 'owner' | 'hosts'> & {
  readonly port?: number
  /** The name of the run, if its bill shall be found again. */
  readonly run?: string
  /** The agent that all requests come from. */
  readonly agent?: string
}

export type StartedGateway = Pick<GatewaySettings, 'mode' | 'summaries' | 'trigger'> & {
  readonly upstreams: GatewayDeps['upstreams']
  readonly running: RunningGateway
  /** The policy by which this gateway compacts. */
  readonly policy: Policy
  readonly stop: () => Promise<void>
}

/** How long a write may hold up the streams that pass through. What is not recorded then is recorded with the next request. */
const BUSY_MS = 50

/** Starts a gateway with the user's settings, and leaves a notice for `pith gateway status`. */
export async function startGateway(setup: Setup, { run, agent, ...start }: GatewayStart): Promise<StartedGateway> {
  const { settings, placeOf } = setup.config
  const table = parseGatewaySettings(settings.gateway, placeOf)
  const store = await openStore(settings.store, { busyMs: BUSY_MS })
  const { port: wanted = table.port, ...wish } = start
  const runBill = new RunBill(setup.folders.data, run ?? randomUUID())
  const bill: BillDeps = {
    agent,
    pricesOf: (upstream, model) => modelFacts(setup, `${upstream}/${model}`).prices,
    add: (charge) => runBill.add(charge),
  }
  const deps = { ...gatewayDeps(setup, { ...wish, store, owner: LOCAL_OWNER }), bill }
  const running = await serveGateway(deps, wanted)
  const mode = deps.mode.name
  const { holder: recorder, prefix } = start
  const notice = { holder: ownHolder(), recorder, port: running.port, prefix, mode }
  const retract = announceGateway(setup.folders.data, notice)
  const stop = async () => {
    retract()
    await running.stop()
    runBill.write()
    await store.close()
  }
  const policy = policyOf(gatewayPolicy(setup, mode))
  return { running, mode, upstreams: deps.upstreams, summaries: table.summaries, trigger: table.trigger, policy, stop }
}

/** The dependencies of a gateway, in addition to the user's settings. */
type GatewayWish = Pick<GatewayDeps, 'store' | 'prefix' | 'owner' | 'hosts' | 'log' | 'onRequest'> & {
  /** The holder of the sessions: a process, while it lives, or all servers; this process by default. */
  readonly holder?: string
  /** The folder of its sessions; the folder of this process by default. */
  readonly workspace?: string
  /** Otherwise as the configuration says. */
  readonly mode?: ModeName
  /** Where requests may go beside the known providers. */
  readonly upstreams?: Readonly<Record<string, string>>
  /** The windows that the agent's own files state. */
  readonly windows?: Windows
}

/** Windows by `upstream/model`; `upstream/*` is for every other model of it. */
type Windows = Readonly<Record<string, number>>

/** The known facts about a model. A window in Pith's configuration counts before the agent's, and that before the registry's. */
export function modelFacts({ config, models }: Setup, name: string, windows: Windows = {}): Partial<ModelInfo> {
  const known = modelNamed(models.registry, name)
  const isOwn = config.settings.models.some((own) => modelName(own) === name && own.contextWindow !== undefined)
  const window = windows[name] ?? windows[name.replace(/\/.*$/s, '/*')]
  return isOwn || window === undefined ? known : { ...known, contextWindow: window, maxInput: undefined }
}

/** The policy of a mode: without a preset of the user's, `rewrite` has its own. */
export function gatewayPolicy(setup: Setup, mode: ModeName): PolicyPatch {
  const { policy } = setup.config.settings
  return mode === 'rewrite' && !choosesPreset(setup) ? { ...policy, ...REWRITE_POLICY } : policy
}

/** How much longer than a summary a request may wait for Pith, before it is forwarded as it is. */
const SPARE_MS = 40_000

/** The dependencies of a gateway by the user's settings. */
export function gatewayDeps(setup: Setup, { mode, upstreams, windows, ...wish }: GatewayWish): GatewayDeps {
  const { settings, workspace, placeOf } = setup.config
  const table: GatewaySettings = parseGatewaySettings(settings.gateway, placeOf)
  const name = mode ?? table.mode
  const shared = {
    ...wish,
    key: installationKey(setup.folders.data),
    holder: wish.holder ?? ownHolder(),
    clock: Date.now,
  }
  return {
    workspace,
    ...shared,
    patienceMs: Math.max(table.summary_seconds, table.rewrite_seconds) * 1_000 + SPARE_MS,
    upstreams: knownUpstreams(settings.providers, { ...table.upstreams, ...upstreams }),
    mode: modeNamed(name, {
      ...shared,
      leaseHolder: ownHolder(),
      policy: gatewayPolicy(setup, name),
      summaries: table.summaries,
      summaryMs: table.summary_seconds * 1_000,
      rewriteMs: table.rewrite_seconds * 1_000,
      configured: () => configuredModels(setup),
      modelInfo: (upstream, model) => modelFacts(setup, `${upstream}/${model}`, windows),
    }),
  }
}

function choosesPreset({ config }: Setup): boolean {
  return config.effective().some(({ key, source }) => key === 'policy.preset' && source !== 'default')
}

async function configuredModels({ config, models }: Setup): Promise<readonly SummaryModel[]> {
  const { model, missing } = await openNamedModel(config.settings.model, models)
  if (missing !== undefined) return []
  return summaryModelsFor(config.policy.summaryModel, model, models).models
}
