import { loadConfig } from '../../../config/index.ts'
import { toWire } from '../../../contract/shapes/wire.ts'
import { count, ifKnown, rate } from '../../../engine/report/numbers.ts'
import { type ModelUsability, type ProviderUsability, type Usability, usableModels } from '../../../llm/choose-model.ts'
import { findLocalServers } from '../../../llm/local-servers.ts'
import { printable } from '../../../model/text.ts'
import type { ModelInfo, Prices } from '../../../model/types.ts'
import { loadRegistry, withModels } from '../../../models/index.ts'
import { columns, muted, print, printJson } from '../../output/show.ts'
import { noteConfig } from '../../setup/setup.ts'

const HEADER = ['MODEL', 'WINDOW', 'IN/M', 'OUT/M', 'USABLE'] as const

// A closed port refuses at once; only a server that hangs takes this long.
const LOCAL_TIMEOUT_MS = 2_000

/** Prints the models whose name contains the filter, the usable ones first. */
export async function listModels(filter: string, { json }: { readonly json?: true }): Promise<void> {
  const config = loadConfig()
  const { providers, models: own } = config.settings
  const local = await findLocalServers({ providers, timeoutMs: LOCAL_TIMEOUT_MS })
  const registry = withModels(loadRegistry(), own)
  const uses = usableModels({ registry, providers, env: process.env, local })
  const models = uses.models.filter((model) => has(model.name, filter)).toSorted(byUse)
  const others = withoutModels(uses).filter(({ provider }) => has(provider, filter))
  noteConfig(config)
  if (json === true) return printJson({ models: models.map(modelJson), providers: uses.providers.map(providerJson) })
  if (models.length + others.length === 0)
    return print(`No model name contains \`${printable(filter)}\`: pith models lists them all`)
  const rows = [...models.map(modelRow), ...others.toSorted(byUse).map(providerRow)]
  for (const line of columns([HEADER, ...rows], ['left', 'right', 'right', 'right'])) print(line)
}

type Uses = { readonly models: readonly ModelUsability[]; readonly providers: readonly ProviderUsability[] }

/** Providers without a listed model: they take any name. */
function withoutModels({ models, providers }: Uses): ProviderUsability[] {
  const listed = new Set(models.map(({ info }) => info.provider))
  return providers.filter(({ provider }) => !listed.has(provider))
}

function modelRow({ name, info, ...use }: ModelUsability): string[] {
  const { contextWindow, prices } = info
  return [printable(name), ...numbersOf(contextWindow, prices), useText(use)]
}

function providerRow({ provider, ...use }: ProviderUsability): string[] {
  return [`${printable(provider)}/…`, ...numbersOf(undefined, undefined), useText(use)]
}

function numbersOf(window: number | undefined, prices: Prices | undefined): string[] {
  return [ifKnown(window, count), ifKnown(prices?.input, rate), ifKnown(prices?.output, rate)]
}

function useText(use: Usability): string {
  return use.usable ? 'yes' : muted(printable(use.why))
}

/** With the names of the configuration file. */
function modelJson({ name: model, info, ...use }: ModelUsability): object {
  const { contextWindow, maxInput, maxOutput, prices: price, tier, input }: ModelInfo = info
  return toWire({ model, contextWindow, maxInput, maxOutput, price, tier, input, ...use })
}

function providerJson({ provider, isLocal, ...use }: ProviderUsability): object {
  return { provider, local: isLocal, ...use }
}

function byUse(a: Usability, b: Usability): number {
  return Number(b.usable) - Number(a.usable)
}

function has(name: string, filter: string): boolean {
  return name.toLowerCase().includes(filter.toLowerCase())
}
