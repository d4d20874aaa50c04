import type { ProvidersSettings } from '../config/provider-settings.ts'
import type { ModelInfo } from '../model/model-info.ts'
import { field } from './failure/error-facts.ts'
import { ollamaWindow } from './ollama-window.ts'
import { PROVIDERS, type Provider } from './providers.ts'

/** A server on this machine that answers, with the models it has. A window is said only where the server says it. */
export type LocalServer = {
  readonly provider: string
  readonly baseUrl: string
  readonly models: readonly ModelInfo[]
}

export type LocalServersDeps = {
  readonly providers?: ProvidersSettings
  readonly fetch?: typeof globalThis.fetch
  /** How long each one has to answer. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** Looks for servers of models on their usual ports, all at once. Who does not answer in time is not there. */
export async function findLocalServers(deps: LocalServersDeps = {}): Promise<readonly LocalServer[]> {
  const wanted = PROVIDERS.filter((provider) => provider.localPort !== undefined)
  const found = await Promise.all(wanted.map((provider) => look(provider, deps)))
  return found.filter((server) => server !== undefined)
}

/** Gets JSON; undefined for all that is not an answer of JSON. */
export type GetJson = (url: string, body?: unknown) => Promise<unknown>

async function look(provider: Provider, deps: LocalServersDeps): Promise<LocalServer | undefined> {
  const baseUrl = deps.providers?.[provider.id]?.baseUrl ?? provider.baseUrl
  const get = getJson(deps)
  const listed = field(await get(`${baseUrl}/models`), 'data')
  if (!Array.isArray(listed)) return undefined
  const ids = listed.flatMap((model) => textIn(model, 'id') ?? [])
  const windows = await windowsOf(provider.id, baseUrl, listed, get)
  const models = ids.map((model): ModelInfo => {
    const contextWindow = windows.get(model)
    return { provider: provider.id, model, ...(contextWindow === undefined ? {} : { contextWindow }) }
  })
  return { provider: provider.id, baseUrl, models }
}

function getJson({ fetch = globalThis.fetch, timeoutMs = 400, signal }: LocalServersDeps): GetJson {
  // One limit for all that is asked of a server.
  const timeout = AbortSignal.timeout(timeoutMs)
  const limit = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  return async (url, body) => {
    try {
      const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(url, { signal: limit, ...post })
      return response.ok ? await response.json() : undefined
    } catch {
      return undefined
    }
  }
}

/** Each kind of server tells in its own way what context it runs a model with. */
async function windowsOf(
  provider: string,
  baseUrl: string,
  listed: readonly unknown[],
  get: GetJson,
): Promise<ReadonlyMap<string, number>> {
  const root = baseUrl.replace(/\/v1\/?$/, '')
  const ids = listed.flatMap((model) => textIn(model, 'id') ?? [])
  switch (provider) {
    case 'ollama':
      return ollamaWindow(root, ids, get)
    case 'vllm':
      return mapped(listed, 'max_model_len')
    case 'lmstudio': {
      const detailed = field(await get(`${root}/api/v0/models`), 'data')
      return mapped(Array.isArray(detailed) ? detailed : [], 'loaded_context_length')
    }
    case 'llamacpp': {
      const window = numberIn(field(await get(`${root}/props`), 'default_generation_settings'), 'n_ctx')
      return new Map(window === undefined ? [] : ids.map((id) => [id, window]))
    }
    default:
      return new Map()
  }
}

function mapped(models: readonly unknown[], name: string): Map<string, number> {
  return new Map(
    models.flatMap((model): [string, number][] => {
      const [id, window] = [textIn(model, 'id'), numberIn(model, name)]
      return id === undefined || window === undefined ? [] : [[id, window]]
    }),
  )
}

function textIn(value: unknown, name: string): string | undefined {
  const text = field(value, name)
  return typeof text === 'string' && text !== '' ? text : undefined
}

function numberIn(value: unknown, name: string): number | undefined {
  const number = field(value, name)
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined
}
