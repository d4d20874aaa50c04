import type { ModelInfo } from '../../model/model-info.ts'
import { modelNamed } from '../setup/named-model.ts'
import type { Setup } from '../setup/setup.ts'
import type { SessionSource } from './session-source.ts'

/** The model to measure a session with: the named one or its own, with the named window if there is one. */
export function measuredModel(
  { model }: SessionSource,
  wanted: { readonly model?: string; readonly window?: number },
  setup: Setup,
): Partial<ModelInfo> {
  const info = wanted.model === undefined ? model : modelNamed(setup, wanted.model)
  if (wanted.window === undefined) return info
  const { maxInput: _, ...rest } = info
  return { ...rest, contextWindow: wanted.window }
}

/** The name of a model that may be known in part. */
export function modelLabel({ provider, model }: Partial<ModelInfo>): string {
  return provider === undefined ? (model ?? 'unknown model') : `${provider}/${model}`
}
