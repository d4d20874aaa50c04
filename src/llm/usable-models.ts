import type { ProvidersSettings } from '../config/provider-settings.ts'
import { type ModelInfo, modelName } from '../model/model-info.ts'
import { type Registry, withModels } from '../models/registry.ts'
import { type Environment, endpointOf } from './endpoint.ts'
import type { LocalServer } from './local-servers.ts'
import { PROVIDERS } from './providers.ts'

/** Whether a model or a provider can be asked; if not, one line says what to set or start. */
export type Use = { readonly usable: true } | { readonly usable: false; readonly why: string }

export type ModelUse = Use & { readonly name: string; readonly info: ModelInfo }
/** A provider takes any model name of its own, also those that the registry does not list. */
export type ProviderUse = Use & { readonly provider: string; readonly isLocal: boolean }

export type UsableInput = {
  readonly registry: Registry
  readonly providers?: ProvidersSettings
  readonly env: Environment
  /** What was found on this machine; without it local models are not listed. */
  readonly local?: readonly LocalServer[]
}

/** Every model that is known, by the registry or by a local server, and every provider: which can be asked, and why not. */
export function usableModels(input: UsableInput): {
  readonly models: readonly ModelUse[]
  readonly providers: readonly ProviderUse[]
} {
  const uses = new Map(providerIds(input).map((id) => [id, useOf(id, input)]))
  const found = (input.local ?? []).flatMap((server) => server.models)
  const models = [...withModels(input.registry, found).values()].map(
    (info): ModelUse => ({ name: modelName(info), info, ...(uses.get(info.provider) ?? useOf(info.provider, input)) }),
  )
  const providers = [...uses].map(([provider, use]) => ({ provider, isLocal: isLocal(provider), ...use }))
  return { models, providers }
}

function providerIds({ registry, providers }: UsableInput): readonly string[] {
  const known = PROVIDERS.map((provider) => provider.id)
  const listed = [...registry.values()].map((info) => info.provider)
  return [...new Set([...known, ...Object.keys(providers ?? {}), ...listed])]
}

function useOf(id: string, { providers, env, local }: UsableInput): Use {
  const endpoint = endpointOf(id, providers ?? {}, env)
  if ('missing' in endpoint) return { usable: false, why: endpoint.text }
  if (!isLocal(id) || local === undefined || local.some((server) => server.provider === id)) return { usable: true }
  return { usable: false, why: `nothing answers at ${new URL(endpoint.baseUrl).host}: start ${id}` }
}

function isLocal(id: string): boolean {
  return PROVIDERS.some((provider) => provider.id === id && provider.localPort !== undefined)
}
