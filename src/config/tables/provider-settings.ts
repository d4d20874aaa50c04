import { z } from 'zod'

/** The protocol of a provider. */
export type ProviderKind = z.infer<typeof providerKindSchema>
export const providerKindSchema = z.enum(['anthropic', 'openai', 'google', 'openai-compatible'])

/** A user's settings for a provider: a new provider, or changes to a known one. */
export type ProviderSettings = z.infer<typeof providerSettingsSchema>
export const providerSettingsSchema = z.strictObject({
  kind: providerKindSchema
    .optional()
    .describe('Its protocol; `openai-compatible` if not set for a provider that Pith does not know'),
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
    .optional()
    .describe('Its address'),
  apiKey: z.string().min(1).optional().describe('Its key; a variable is safer than a file'),
  apiKeyEnv: z.string().min(1).optional().describe('The environment variable that holds the key'),
  cacheLifetime: z
    .enum(['5m', '1h'])
    .optional()
    .describe(
      'How long Anthropic is to keep a prompt in its cache: `1h` pays twice the price of input for what is written, and suits longer pauses',
    ),
  headers: z.record(z.string(), z.string()).optional().describe('Headers that are sent with every request'),
})

/** Settings of providers by their id. */
export type ProvidersSettings = Readonly<Record<string, ProviderSettings>>
