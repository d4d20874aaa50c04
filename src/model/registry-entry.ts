import { z } from 'zod'
import { inputKindSchema, type ModelInfo, type Prices, tierSchema } from './model-info.ts'

const priceSchema = z.strictObject({
  input: z.number().nonnegative(),
  cache_read: z.number().nonnegative().optional(),
  cache_write: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
})

/** What a registry file may say of a model, in the file's own spelling. */
export const entryFactsSchema = z.strictObject({
  context_window: z.number().int().positive().optional(),
  max_input: z.number().int().positive().optional(),
  max_output: z.number().int().positive().optional(),
  price: priceSchema.optional(),
  tier: tierSchema.optional(),
  input: z.array(inputKindSchema).min(1).optional(),
})

/** One model of a registry file. */
export type RegistryEntry = z.infer<typeof registryEntrySchema>
export const registryEntrySchema = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  ...entryFactsSchema.shape,
})

/** Every key an entry may have, those of its price included: where the nearest one is looked for. */
export const ENTRY_KEYS: readonly string[] = [
  ...Object.keys(registryEntrySchema.shape),
  ...Object.keys(priceSchema.shape),
]

/** An entry of a file as the rest of the program sees it; what the file does not say is absent. */
export function toModelInfo(entry: RegistryEntry): ModelInfo {
  const { provider, model, context_window, max_input, max_output, price, tier, input } = entry
  return {
    provider,
    model,
    ...(context_window === undefined ? {} : { contextWindow: context_window }),
    ...(max_input === undefined ? {} : { maxInput: max_input }),
    ...(max_output === undefined ? {} : { maxOutput: max_output }),
    ...(price === undefined ? {} : { prices: toPrices(price) }),
    ...(tier === undefined ? {} : { tier }),
    ...(input === undefined ? {} : { input }),
  }
}

function toPrices({ input, output, cache_read, cache_write }: z.infer<typeof priceSchema>): Prices {
  return {
    input,
    output,
    ...(cache_read === undefined ? {} : { cacheRead: cache_read }),
    ...(cache_write === undefined ? {} : { cacheWrite: cache_write }),
  }
}
