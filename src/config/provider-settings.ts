import { z } from 'zod'

/** Which protocol a provider speaks. */
export type ProviderKind = z.infer<typeof providerKindSchema>
export const providerKindSchema = z.enum(['anthropic', 'openai', 'google', 'openai-compatible'])

/** What a user says of a provider: a new one, or changes to one we know. What is absent stays as it is. */
export type ProviderSettings = z.infer<typeof providerSettingsSchema>
export const providerSettingsSchema = z.strictObject({
  kind: providerKindSchema
    .optional()
    .describe('Which protocol it speaks; `openai-compatible` where Pith does not know the provider'),
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
    .optional()
    .describe('Where it answers'),
  apiKey: z.string().min(1).optional().describe('Its key; better in a variable than in a file'),
  apiKeyEnv: z.string().min(1).optional().describe('The environment variable that holds the key'),
  headers: z.record(z.string(), z.string()).optional().describe('Headers that go with every request'),
})

/** Settings of providers by their id. */
export type ProvidersSettings = Readonly<Record<string, ProviderSettings>>
