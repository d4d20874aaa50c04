import { z } from 'zod'

const rates = {
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
}

/** US dollars per million tokens. A request whose prompt has more tokens than `long.above` is charged by `long` alone. */
export type Prices = z.infer<typeof pricesSchema>
export const pricesSchema = z.strictObject({
  ...rates,
  long: z.strictObject({ above: z.number().int().positive(), ...rates }).optional(),
})

/** How strong and how expensive a model is among those of its provider. `standard` models are used for summaries. */
export type Tier = z.infer<typeof tierSchema>
export const tierSchema = z.enum(['strong', 'standard', 'lite'])

export type InputKind = z.infer<typeof inputKindSchema>
export const inputKindSchema = z.enum(['text', 'image', 'pdf', 'audio', 'video'])

/** The registry's facts about a model. An unknown window is absent; there is no default. */
export type ModelInfo = z.infer<typeof modelInfoSchema>
export const modelInfoSchema = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  contextWindow: z.number().int().positive().optional(),
  /** The most input tokens, where the provider accepts less than the window because the answer counts towards it. */
  maxInput: z.number().int().positive().optional(),
  maxOutput: z.number().int().positive().optional(),
  prices: pricesSchema.optional(),
  tier: tierSchema.optional(),
  input: z.array(inputKindSchema).optional(),
})

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
