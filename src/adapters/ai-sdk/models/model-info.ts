import type { LanguageModel } from 'ai'
import type { ModelInfo } from '../../../model/types.ts'
import { loadRegistry, resolveModel } from '../../../models/registry.ts'

/** Facts about a model of the AI SDK, looked up by the name of its provider (`anthropic.messages`) and its own. */
export function infoOf(model: LanguageModel): Partial<ModelInfo> {
  if (typeof model === 'string') return model.includes('/') ? resolveModel(loadRegistry(), model) : { model }
  const [provider = model.provider] = model.provider.split('.')
  if (provider === '' || model.modelId === '') return { model: model.modelId }
  return resolveModel(loadRegistry(), `${provider}/${model.modelId}`)
}

/** The facts about a model. Facts from the caller take precedence over those of the registry. */
export function infoWith(
  given: { readonly window?: number; readonly model?: string | Partial<ModelInfo> },
  model: LanguageModel | undefined,
): Partial<ModelInfo> {
  const named = typeof given.model === 'string' ? resolveModel(loadRegistry(), given.model) : given.model
  const found = named ?? (model === undefined ? {} : infoOf(model))
  return given.window === undefined ? found : { ...found, contextWindow: given.window, maxInput: undefined }
}
