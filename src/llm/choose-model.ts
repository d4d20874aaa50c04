import { type ModelInfo, modelName } from '../model/types.ts'
import { type Registry, resolveModel, withModels } from '../models/registry.ts'
import { findLocalServers, type LocalServer } from './local-servers.ts'
import type { OpenModelDeps } from './open-model.ts'
import { endpointOf } from './provider/endpoint.ts'
import { isLocalProvider } from './provider/providers.ts'

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
export function withLocalModels(registry: Registry, servers: readonly LocalServer[]): Registry {
  const found = servers.flatMap((server) => server.models)
  const known = found.flatMap((info) => registry.get(`${info.provider}/${info.model}`) ?? [])
  return withModels(withModels(registry, found), known)
}

/** The deps with the window that a server on this machine reports for the named model, if it is not known otherwise. */
export async function withLocalWindow(name: string, deps: OpenModelDeps): Promise<OpenModelDeps> {
  const info = infoOf(name, deps)
  if (info === undefined || info.contextWindow !== undefined || !isLocalProvider(info.provider)) return deps
  const { providers, fetch } = deps
  const servers = await findLocalServers({ providers, fetch, only: info.provider })
  return { ...deps, registry: withLocalModels(deps.registry, servers) }
}

function infoOf(name: string, { registry }: OpenModelDeps): ModelInfo | undefined {
  try {
    return resolveModel(registry, name)
  } catch {
    return undefined
  }
}
