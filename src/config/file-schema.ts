import { z } from 'zod'
import { CONFIG_NAMES } from '../model/policy.ts'
import { ENTRY_KEYS, registryEntrySchema } from '../model/registry-entry.ts'
import { snakeCase } from './case.ts'
import { providerSettingsSchema } from './provider-settings.ts'

/** What tools may do without asking. */
export type PermissionMode = z.infer<typeof permissionModeSchema>
export const permissionModeSchema = z.enum(['ask', 'auto-edit', 'full'])

export type Theme = z.infer<typeof themeSchema>
export const themeSchema = z.enum(['dark', 'light', 'none', 'auto'])

const hookSchema = z.strictObject({ command: z.string().min(1), timeout_ms: z.number().int().positive().optional() })
const hooksSchema = z.strictObject({
  before_compaction: hookSchema.optional(),
  after_compaction: hookSchema.optional(),
})

const providerSchema = z.strictObject(
  Object.fromEntries(Object.entries(providerSettingsSchema.shape).map(([key, schema]) => [snakeCase(key), schema])),
)
const providerId = z.string().regex(/^[A-Za-z0-9][\w.-]*$/, 'is not a name for a provider: use letters, digits, . - _')

/** Settings of the policy that may also stand at the top of the file. */
export const POLICY_SHORTCUTS: readonly string[] = Object.keys(CONFIG_NAMES)

/** A configuration file. The policy is checked by its own parser, key by key. */
export type FileTable = z.infer<typeof fileSchema>
export const fileSchema = z.strictObject({
  model: z.string().min(1).optional(),
  permissions: permissionModeSchema.optional(),
  policy: z.record(z.string(), z.unknown()).optional(),
  model_auto_compact_token_limit: z.unknown().optional(),
  compact_prompt: z.unknown().optional(),
  preserve_count: z.unknown().optional(),
  providers: z.record(providerId, providerSchema).optional(),
  models: z.array(registryEntrySchema).optional(),
  hooks: hooksSchema.optional(),
  step_limit: z.number().int().positive().optional(),
  store: z.string().min(1).optional(),
  instructions: z.boolean().optional(),
  theme: themeSchema.optional(),
  server: z.record(z.string(), z.unknown()).optional(),
})

/** Keys of the file in the order in which they are shown. */
export const FILE_KEYS: readonly string[] = Object.keys(fileSchema.shape)

/** The keys that the table at a path may have: where the nearest one is looked for. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const [top] = path
  if (top === undefined) return FILE_KEYS
  if (top === 'providers') return Object.keys(providerSchema.shape)
  if (top === 'models') return ENTRY_KEYS
  if (top === 'hooks') return Object.keys(path.length === 1 ? hooksSchema.shape : hookSchema.shape)
  return []
}
