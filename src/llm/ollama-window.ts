import { field } from './failure/error-facts.ts'
import type { GetJson } from './local-servers.ts'

/**
 * The context that Ollama runs its models with: of a loaded one it says so; else it is the `num_ctx` of the model's own
 * parameters. What a model could take (`model_info`) is no answer: Ollama runs it with far less unless told otherwise,
 * so it is only an upper bound.
 */
export async function ollamaWindow(root: string, ids: readonly string[], get: GetJson): Promise<Map<string, number>> {
  const loaded = await loadedWindows(root, get)
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

async function loadedWindows(root: string, get: GetJson): Promise<Map<string, number>> {
  const models = field(await get(`${root}/api/ps`), 'models')
  return new Map(
    (Array.isArray(models) ? models : []).flatMap((model): [string, number][] => {
      const [name, window] = [field(model, 'name'), field(model, 'context_length')]
      return typeof name === 'string' && typeof window === 'number' && window > 0 ? [[name, window]] : []
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
