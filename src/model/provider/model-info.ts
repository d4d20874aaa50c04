import type { z } from 'zod'
import type { inputKindSchema, modelInfoSchema, pricesSchema, tierSchema } from './model-info-schema.ts'

/** US dollars per million tokens. A request whose prompt has more tokens than `long.above` is charged by `long` alone. */
export type Prices = z.infer<typeof pricesSchema>

/** How strong and how expensive a model is among those of its provider. `standard` models are used for summaries. */
export type Tier = z.infer<typeof tierSchema>

export type InputKind = z.infer<typeof inputKindSchema>

/** The registry's facts about a model. An unknown window is absent; there is no default. */
export type ModelInfo = z.infer<typeof modelInfoSchema>

/** The provider of a model that nobody knows. */
export const NO_PROVIDER = 'none'

/** The name of a model that may be known in part, if that is enough to compare it. */
export function knownName({ provider, model }: Partial<ModelInfo>): string | undefined {
  return provider === undefined || model === undefined || provider === NO_PROVIDER
    ? undefined
    : modelName({ provider, model })
}

/** The name users write: `provider/model`. */
export function modelName(info: Pick<ModelInfo, 'provider' | 'model'>): string {
  return `${info.provider}/${info.model}`
}
