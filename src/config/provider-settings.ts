import { z } from 'zod'

/** Which protocol a provider speaks. */
export type ProviderKind = z.infer<typeof providerKindSchema>
export const providerKindSchema = z.enum(['anthropic', 'openai', 'google', 'openai-compatible'])

/** What a user says of a provider: a new one, or changes to one we know. What is absent stays as it is. */
export type ProviderSettings = z.infer<typeof providerSettingsSchema>
export const providerSettingsSchema = z.strictObject({
  kind: providerKindSchema.optional(),
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' }).optional(),
  apiKey: z.string().min(1).optional(),
  /** The environment variable that holds the key. */
  apiKeyEnv: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
})

/** Settings of providers by their id. */
export type ProvidersSettings = Readonly<Record<string, ProviderSettings>>
