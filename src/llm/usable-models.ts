import type { ProvidersSettings } from '../config/tables/provider-settings.ts'
import { type ModelInfo, modelName } from '../model/types.ts'
import type { Registry } from '../models/registry.ts'
import { withLocalModels } from './choose-model.ts'
import type { LocalServer } from './local-servers.ts'
import { type Environment, endpointOf } from './provider/endpoint.ts'
import { isLocalProvider, PROVIDERS } from './provider/providers.ts'

/** Whether a model or a provider can be used; if not, one line says what to set or start. */
export type Usability = { readonly usable: true } | { readonly usable: false; readonly why: string }

export type ModelUsability = Usability & { readonly name: string; readonly info: ModelInfo }
/** Whether a provider can be used. It accepts any of its own models, also those that the registry does not list. */
export type ProviderUsability = Usability & { readonly provider: string; readonly isLocal: boolean }

export type UsableInput = {
  readonly registry: Registry
  readonly providers?: ProvidersSettings
  readonly env: Environment
  /** The servers found on this machine. Without them, local models are not listed. */
  readonly local?: readonly LocalServer[]
}

/** Every model of the registry and of local servers, and every provider, each with its usability. */
export function usableModels(input: UsableInput): {
  readonly models: readonly ModelUsability[]
  readonly providers: readonly ProviderUsability[]
} {
  const uses = new Map(providerIds(input).map((id) => [id, usabilityOf(id, input)]))
  const models = [...withLocalModels(input.registry, input.local ?? []).values()].map(
    (info): ModelUsability => ({
      name: modelName(info),
      info,
      ...(uses.get(info.provider) ?? usabilityOf(info.provider, input)),
    }),
  )
  const providers = [...uses].map(([provider, use]) => ({ provider, isLocal: isLocalProvider(provider), ...use }))
  return { models, providers }
}

function providerIds({ registry, providers }: UsableInput): readonly string[] {
  const known = PROVIDERS.map((provider) => provider.id)
  const listed = [...registry.values()].map((info) => info.provider)
  return [...new Set([...known, ...Object.keys(providers ?? {}), ...listed])]
}

function usabilityOf(id: string, { providers, env, local }: UsableInput): Usability {
  const endpoint = endpointOf(id, providers ?? {}, env)
  if ('missing' in endpoint) return { usable: false, why: endpoint.text }
  if (!isLocalProvider(id) || local === undefined || local.some((server) => server.provider === id))
    return { usable: true }
  return { usable: false, why: `nothing answers at ${new URL(endpoint.baseUrl).host}: start ${id}` }
}
