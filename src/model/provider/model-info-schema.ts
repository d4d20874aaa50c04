import { z } from 'zod'

const rates = {
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
}

export const pricesSchema = z.strictObject({
  ...rates,
  long: z.strictObject({ above: z.number().int().positive(), ...rates }).optional(),
})

export const tierSchema = z.enum(['strong', 'standard', 'lite'])

export const inputKindSchema = z.enum(['text', 'image', 'pdf', 'audio', 'video'])

export const modelInfoSchema = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  contextWindow: z.number().int().positive().optional(),
  /** The most input tokens, if the provider accepts less than the window because the answer counts towards it. */
  maxInput: z.number().int().positive().optional(),
  maxOutput: z.number().int().positive().optional(),
  prices: pricesSchema.optional(),
  tier: tierSchema.optional(),
  input: z.array(inputKindSchema).optional(),
})
