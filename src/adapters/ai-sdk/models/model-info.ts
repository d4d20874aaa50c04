import type { LanguageModel } from 'ai'
import type { ModelInfo } from '../../../model/provider/model-info.ts'
import { loadRegistry } from '../../../models/registry.ts'
import { resolveModel } from '../../../models/resolve.ts'

/** Facts about a model of the AI SDK, looked up by the name of its provider (`anthropic.messages`) and its own. */
export function infoOf(model: LanguageModel): Partial<ModelInfo> {
  if (typeof model === 'string') return model.includes('/') ? resolved(model) : { model }
  const [provider = model.provider] = model.provider.split('.')
  return provider === '' || model.modelId === '' ? { model: model.modelId } : resolved(`${provider}/${model.modelId}`)
}

/** Each step asks for its model, which is nearly always the one of the step before. */
let last: { readonly name: string; readonly info: ModelInfo } | undefined

function resolved(name: string): ModelInfo {
  if (last?.name !== name) last = { name, info: resolveModel(loadRegistry(), name) }
  return last.info
}

/** Facts that the caller gave of the model go before those that are looked up. */
export function infoWith(
  given: { readonly window?: number; readonly model?: string | Partial<ModelInfo> },
  model: LanguageModel | undefined,
): Partial<ModelInfo> {
  const named = typeof given.model === 'string' ? resolveModel(loadRegistry(), given.model) : given.model
  const found = named ?? (model === undefined ? {} : infoOf(model))
  return given.window === undefined ? found : { ...found, contextWindow: given.window, maxInput: undefined }
}
