import { z } from 'zod'
import type { ModelInfo, Prices } from './types.ts'

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
  /** Set if nothing names the window and Pith assumes one. */
  windowAssumed: z.literal(true).optional(),
  /** The most input tokens, if the provider accepts less than the window because the answer counts towards it. */
  maxInput: z.number().int().positive().optional(),
  maxOutput: z.number().int().positive().optional(),
  prices: pricesSchema.optional(),
  tier: tierSchema.optional(),
  input: z.array(inputKindSchema).optional(),
})

const entryRates = {
  input: z.number().nonnegative().describe('Input, in US dollars per million tokens'),
  cache_read: z.number().nonnegative().optional().describe('Input that is read from the provider’s cache'),
  cache_write: z.number().nonnegative().optional().describe('Input that is written to the cache'),
  output: z.number().nonnegative().describe('Output'),
}

const priceSchema = z.strictObject({
  ...entryRates,
  long: z
    .strictObject({ above: z.number().int().positive().describe('Tokens of a prompt'), ...entryRates })
    .optional()
    .describe('The price of a whole request whose prompt has more tokens than `above`'),
})

/** The facts about a model in a registry file, in the file's own spelling. */
export const entryFactsSchema = z.strictObject({
  context_window: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Tokens that fit, the answer included. Not set: not known'),
  max_input: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('The most input tokens, if the provider accepts less than the window'),
  max_output: z.number().int().positive().optional().describe('The longest answer'),
  price: priceSchema.optional().describe('The price'),
  tier: tierSchema
    .optional()
    .describe('How strong it is among the models of its provider; `standard` models are used for summaries'),
  input: z
    .array(inputKindSchema)
    .min(1)
    .optional()
    .describe('The kinds of content that a message may have. Not set: text'),
})

/** One model of a registry file. */
export type RegistryEntry = z.infer<typeof registryEntrySchema>
export const registryEntrySchema = z.strictObject({
  provider: z.string().min(1).describe('The provider, by its id'),
  model: z.string().min(1).describe('The model, as the provider calls it'),
  ...entryFactsSchema.shape,
})

/** Every key that an entry may have, including those of its price: the candidates for the nearest key. */
export const ENTRY_KEYS: readonly string[] = [
  ...Object.keys(registryEntrySchema.shape),
  ...Object.keys(priceSchema.shape),
  'above',
]

/** An entry of a file as the rest of the program uses it. */
export function toModelInfo(entry: RegistryEntry): ModelInfo {
  const { provider, model, context_window, max_input, max_output, price, tier, input } = entry
  return {
    provider,
    model,
    contextWindow: context_window,
    maxInput: max_input,
    maxOutput: max_output,
    prices: price === undefined ? undefined : toPrices(price),
    tier,
    input,
  }
}

function toPrices({ long, ...price }: z.infer<typeof priceSchema>): Prices {
  return { ...toRates(price), long: long === undefined ? undefined : { above: long.above, ...toRates(long) } }
}

function toRates({ input, output, cache_read, cache_write }: Omit<z.infer<typeof priceSchema>, 'long'>) {
  return { input, output, cacheRead: cache_read, cacheWrite: cache_write }
}
