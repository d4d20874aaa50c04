import { modelName } from '../model/provider/model-info.ts'
import type { Registry } from '../models/registry.ts'
import { findLocalServers } from './local-servers.ts'
import type { OpenModelDeps } from './open-model.ts'
import { endpointOf } from './provider/endpoint.ts'

/** When the user names no model: the newest model of the provider's family that suits a coding agent. */
const FAMILIES: readonly (readonly [provider: string, family: RegExp])[] = [
  ['anthropic', /^claude-sonnet-[\d-]+$/],
  ['openai', /^gpt-[\d.]+$/],
  ['google', /^gemini-[\d.]+-flash$/],
  ['xai', /^grok-[\d.]+$/],
  ['deepseek', /^deepseek-chat$/],
  ['mistral', /^devstral|^mistral-large/],
]

/** The model for a user who names none: of the first provider that has a key, otherwise of a server on this machine. */
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
