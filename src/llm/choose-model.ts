import type { ProvidersSettings } from '../config/tables/provider-settings.ts'
import { type ModelInfo, modelName } from '../model/types.ts'
import { type Registry, resolveModel, withModels } from '../models/registry.ts'
import { findLocalServers, type LocalServer } from './local-servers.ts'
import type { OpenModelDeps } from './open-model.ts'
import { type Environment, endpointOf } from './provider/endpoint.ts'
import { isLocalProvider, PROVIDERS } from './provider/providers.ts'

/** The model families that suit a coding agent, by provider. If the user names no model, the newest of a family is used. */
const FAMILIES: readonly (readonly [provider: string, family: RegExp])[] = [
  ['anthropic', /^claude-sonnet-[\d-]+$/],
  ['openai', /^gpt-[\d.]+$/],
  ['google', /^gemini-[\d.]+-flash$/],
  ['xai', /^grok-[\d.]+$/],
  ['deepseek', /^deepseek-chat$/],
  ['mistral', /^devstral|^mistral-large/],
]

/** The model if the user names none: of the first provider that has a key, or else of a server on this machine. */
export async function chooseModel(deps: OpenModelDeps): Promise<string | undefined> {
  for (const [provider, family] of FAMILIES) {
    if ('missing' in endpointOf(provider, deps.providers ?? {}, deps.env)) continue
    const found = newest(deps.registry, provider, family)
    if (found !== undefined) return found
  }
  const servers = await findLocalServers({ providers: deps.providers, fetch: deps.fetch })
  const [local] = servers.flatMap((server) => server.models)
  return local === undefined ? undefined : modelName(local)
}

/** The message when there is no model to choose. */
export const NO_MODEL =
  'no model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama, then try again (pith models lists all)'

function newest(registry: Registry, provider: string, family: RegExp): string | undefined {
  const [best] = [...registry.values()]
    .filter((info) => info.provider === provider && family.test(info.model))
    .toSorted((a, b) => b.model.localeCompare(a.model, 'en', { numeric: true }))
  return best === undefined ? undefined : modelName(best)
}

/** The registry with the models of servers on this machine. Facts in the registry, such as a user's own window, take precedence. */
function withLocalModels(registry: Registry, servers: readonly LocalServer[]): Registry {
  const found = servers.flatMap((server) => server.models)
  const known = found.flatMap((info) => registry.get(`${info.provider}/${info.model}`) ?? [])
  return withModels(withModels(registry, found), known)
}

/** The deps with the window that a server on this machine reports for the named model, if it is not known otherwise. */
export async function withLocalWindow(name: string, deps: OpenModelDeps): Promise<OpenModelDeps> {
  const info = knownInfo(name, deps)
  if (info === undefined || info.contextWindow !== undefined || !isLocalProvider(info.provider)) return deps
  const { providers, fetch } = deps
  const servers = await findLocalServers({ providers, fetch, only: info.provider })
  return { ...deps, registry: withLocalModels(deps.registry, servers) }
}

/** The facts about a model that a user named; undefined if the registry does not accept the name. */
export function knownInfo(name: string, { registry }: OpenModelDeps): ModelInfo | undefined {
  try {
    return resolveModel(registry, name)
  } catch {
    return undefined
  }
}

/** Whether a model or a provider can be used; if not, one line says what to set or start. */
export type Usability = { readonly usable: true } | { readonly usable: false; readonly why: string }

export type ModelUsability = Usability & { readonly name: string; readonly info: ModelInfo }
/** Whether a provider can be used. It accepts any of its own models, also those that the registry does not list. */
export type ProviderUsability = Usability & { readonly provider: string; readonly isLocal: boolean }

type UsableInput = {
  readonly registry: Registry
  readonly providers?: ProvidersSettings
  readonly env: Environment
  /** The servers found on this machine. Without them, local models are not listed. */
  readonly local?: readonly LocalServer[]
}

/** Every model of the registry and of local servers, the newest of a provider first, and every provider, each with its usability. */
export function usableModels(input: UsableInput): {
  readonly models: readonly ModelUsability[]
  readonly providers: readonly ProviderUsability[]
} {
  const uses = new Map(providerIds(input).map((id) => [id, usabilityOf(id, input)]))
  const models = newestFirst([...withLocalModels(input.registry, input.local ?? []).values()]).map(
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

/** The models, the providers in their order, and those of a provider with the highest version in their name first. */
function newestFirst(models: readonly ModelInfo[]): ModelInfo[] {
  const providers = [...new Set(models.map(({ provider }) => provider))]
  return models.toSorted(
    (a, b) =>
      providers.indexOf(a.provider) - providers.indexOf(b.provider) ||
      compareVersions(versionOf(b.model), versionOf(a.model)),
  )
}

/** `[4, 6]` of `claude-opus-4-6`. Dates and sizes (`-2024-05-13`, `-70b`) are not versions. */
function versionOf(model: string): number[] {
  const withoutDate = model.replace(/-\d{4}-\d\d-\d\d|-\d{3,8}\b/g, '')
  return [...withoutDate.matchAll(/\d+(?![\db])/g)].map(([digits]) => Number(digits))
}

function compareVersions(a: readonly number[], b: readonly number[]): number {
  const at = Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? -1) - (b[i] ?? -1))
  return at.find((difference) => difference !== 0) ?? 0
}
