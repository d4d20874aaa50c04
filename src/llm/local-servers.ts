import { once } from 'node:events'
import type { ProvidersSettings } from '../config/tables/provider-settings.ts'
import type { ModelInfo } from '../model/types.ts'
import { field } from '../model/values.ts'
import { PROVIDERS, type Provider } from './provider/providers.ts'

/** A server on this machine that answers, with its models. A model has a window only if the server reports it. */
export type LocalServer = {
  readonly provider: string
  readonly baseUrl: string
  readonly models: readonly ModelInfo[]
}

export type LocalServersDeps = {
  readonly providers?: ProvidersSettings
  readonly fetch?: typeof globalThis.fetch
  /** How long each server has to answer. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** The one provider to look for; all of them by default. */
  readonly only?: string
}

/** Looks for model servers on their usual ports, in parallel. A server that does not answer in time is left out. */
export async function findLocalServers(deps: LocalServersDeps = {}): Promise<readonly LocalServer[]> {
  const wanted = PROVIDERS.filter(({ id, localPort }) => localPort !== undefined && (deps.only ?? id) === id)
  const found = await Promise.all(wanted.map((provider) => findServer(provider, deps)))
  return found.filter((server) => server !== undefined)
}

/** Gets JSON; undefined for an error and for any other answer. */
type GetJson = (url: string, body?: unknown) => Promise<unknown>

async function findServer(provider: Provider, deps: LocalServersDeps): Promise<LocalServer | undefined> {
  const baseUrl = deps.providers?.[provider.id]?.baseUrl ?? provider.baseUrl
  // All requests to a server share one time limit.
  const limit = limitOf(deps)
  if (deps.fetch === undefined && !(await mayAnswer(baseUrl, limit))) return undefined
  const get = getJson(deps.fetch ?? globalThis.fetch, limit)
  const listed = field(await get(`${baseUrl}/models`), 'data')
  if (!Array.isArray(listed)) return undefined
  const ids = listed.flatMap((model) => textIn(model, 'id') ?? [])
  const windows = await windowsOf(provider.id, baseUrl, listed, get)
  const models = ids.map((model): ModelInfo => ({ provider: provider.id, model, contextWindow: windows.get(model) }))
  return { provider: provider.id, baseUrl, models }
}

function limitOf({ timeoutMs = 400, signal }: LocalServersDeps): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}

/**
 * False for a port of this machine on which nothing listens. That is the usual case, and loading `fetch` for it would take Node
 * longer than compacting a small session.
 */
async function mayAnswer(baseUrl: string, limit: AbortSignal): Promise<boolean> {
  const { protocol, hostname, port } = URL.parse(baseUrl) ?? {}
  if (protocol !== 'http:' || hostname !== '127.0.0.1') return true
  const { connect } = await import('node:net')
  const socket = connect(Number(port || 80), hostname)
  try {
    await once(socket, 'connect', { signal: limit })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

function getJson(fetch: typeof globalThis.fetch, limit: AbortSignal): GetJson {
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

/** The windows of the models. Each kind of server reports them in its own way. */
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
      return ollamaWindows(root, ids, get)
    case 'vllm':
      return windowsIn(listed, 'id', 'max_model_len')
    case 'lmstudio':
      return windowsIn(field(await get(`${root}/api/v0/models`), 'data'), 'id', 'loaded_context_length')
    case 'llamacpp': {
      const window = numberIn(field(await get(`${root}/props`), 'default_generation_settings'), 'n_ctx')
      return new Map(window === undefined ? [] : ids.map((id) => [id, window]))
    }
    default:
      return new Map()
  }
}

/**
 * Ollama runs a model with the context that it was loaded with, or with `num_ctx` of the model's own parameters. The
 * context that the model could have (`model_info`) is only an upper bound: by default, Ollama uses far less.
 */
async function ollamaWindows(root: string, ids: readonly string[], get: GetJson): Promise<Map<string, number>> {
  const loaded = windowsIn(field(await get(`${root}/api/ps`), 'models'), 'name', 'context_length')
  const windows = await Promise.all(
    ids.map(async (model) => loaded.get(model) ?? fromParameters(await get(`${root}/api/show`, { model }))),
  )
  return new Map(
    ids.flatMap((id, index): [string, number][] => {
      const window = windows[index]
      return window === undefined ? [] : [[id, window]]
    }),
  )
}

function fromParameters(shown: unknown): number | undefined {
  const parameters = field(shown, 'parameters')
  const set = typeof parameters === 'string' ? /^num_ctx\s+(\d+)/m.exec(parameters)?.[1] : undefined
  if (set === undefined) return undefined
  return Math.min(Number(set), mostOf(field(shown, 'model_info')))
}

function mostOf(info: unknown): number {
  const [, most] = Object.entries(info ?? {}).find(([name]) => name.endsWith('.context_length')) ?? []
  return typeof most === 'number' && most > 0 ? most : Number.POSITIVE_INFINITY
}

/** The windows in a list of models, by the key of their names and the key of their windows. */
function windowsIn(models: unknown, nameKey: string, windowKey: string): Map<string, number> {
  return new Map(
    (Array.isArray(models) ? models : []).flatMap((model): [string, number][] => {
      const [name, window] = [textIn(model, nameKey), numberIn(model, windowKey)]
      return name === undefined || window === undefined ? [] : [[name, window]]
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
