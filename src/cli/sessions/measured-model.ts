import { PithError } from '../../model/problems/errors.ts'
import type { ModelInfo } from '../../model/types.ts'
import { resolveModel } from '../../models/registry.ts'
import { UsageError } from '../process/usage-error.ts'
import type { Setup } from '../setup/setup.ts'
import type { SessionSource } from './session-source.ts'

/** The model to measure a session with: the named one or its own, with the named window if there is one. */
export function measuredModel(
  { model, guess }: SessionSource,
  wanted: { readonly model?: string; readonly window?: number },
  setup: Setup,
): Pick<SessionSource, 'model' | 'guess'> {
  const info = wanted.model === undefined ? model : flagModel(wanted.model, setup)
  if (wanted.window === undefined) return wanted.model === undefined ? { model, guess } : { model: info }
  const { maxInput: _, ...rest } = info
  return { model: { ...rest, contextWindow: wanted.window } }
}

/** A model of a provider that Pith does not know has a name, and its window comes from `--window`. */
function flagModel(name: string, { models }: Setup): ModelInfo {
  try {
    return resolveModel(models.registry, name)
  } catch (error) {
    throw error instanceof PithError ? new UsageError(error.code, error.message) : error
  }
}

/** The name of a model that may be known in part. */
export function modelLabel({ provider, model }: Partial<ModelInfo>): string {
  return provider === undefined ? (model ?? 'unknown model') : `${provider}/${model}`
}
