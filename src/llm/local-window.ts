import type { ModelInfo } from '../model/provider/model-info.ts'
import { type Registry, withModels } from '../models/registry.ts'
import { resolveModel } from '../models/resolve.ts'
import { findLocalServers, type LocalServer } from './local-servers.ts'
import type { OpenModelDeps } from './open-model.ts'
import { isLocalProvider } from './provider/providers.ts'

/** The registry with the models of servers on this machine. What the registry knows, such as a user's own window, stays. */
export function withLocalModels(registry: Registry, servers: readonly LocalServer[]): Registry {
  const found = servers.flatMap((server) => server.models)
  const known = found.flatMap((info) => registry.get(`${info.provider}/${info.model}`) ?? [])
  return withModels(withModels(registry, found), known)
}

/** The deps with the window that a server on this machine reports for the named model, where nothing else says it. */
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
