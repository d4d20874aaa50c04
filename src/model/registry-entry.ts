import { z } from 'zod'
import { inputKindSchema, type ModelInfo, type Prices, tierSchema } from './model-info.ts'

const rates = {
  input: z.number().nonnegative().describe('Input, in US dollars per million tokens'),
  cache_read: z.number().nonnegative().optional().describe('Input that the provider has in its cache'),
  cache_write: z.number().nonnegative().optional().describe('Input that it puts there'),
  output: z.number().nonnegative().describe('Output'),
}

const priceSchema = z.strictObject({
  ...rates,
  long: z
    .strictObject({ above: z.number().int().positive().describe('Tokens of a prompt'), ...rates })
    .optional()
    .describe('What all of a request costs whose prompt has more tokens than `above`'),
})

/** What a registry file may say of a model, in the file's own spelling. */
export const entryFactsSchema = z.strictObject({
  context_window: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Tokens that fit, the answer included; not said is not known'),
  max_input: z.number().int().positive().optional().describe('Where the provider takes less than the window as input'),
  max_output: z.number().int().positive().optional().describe('The longest answer'),
  price: priceSchema.optional().describe('What it costs'),
  tier: tierSchema.optional().describe('How strong it is within its provider: `standard` is the one to summarise with'),
  input: z.array(inputKindSchema).min(1).optional().describe('What may be in a message; not said is text'),
})

/** One model of a registry file. */
export type RegistryEntry = z.infer<typeof registryEntrySchema>
export const registryEntrySchema = z.strictObject({
  provider: z.string().min(1).describe('The provider, by its id'),
  model: z.string().min(1).describe('The model, as the provider calls it'),
  ...entryFactsSchema.shape,
})

/** Every key an entry may have, those of its price included: where the nearest one is looked for. */
export const ENTRY_KEYS: readonly string[] = [
  ...Object.keys(registryEntrySchema.shape),
  ...Object.keys(priceSchema.shape),
  'above',
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

function toPrices({ long, ...price }: z.infer<typeof priceSchema>): Prices {
  return { ...toRates(price), ...(long === undefined ? {} : { long: { above: long.above, ...toRates(long) } }) }
}

function toRates({ input, output, cache_read, cache_write }: Omit<z.infer<typeof priceSchema>, 'long'>) {
  return {
    input,
    output,
    ...(cache_read === undefined ? {} : { cacheRead: cache_read }),
    ...(cache_write === undefined ? {} : { cacheWrite: cache_write }),
  }
}
