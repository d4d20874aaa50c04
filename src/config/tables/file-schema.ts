import { z } from 'zod'
import { registryEntrySchema } from '../../model/model-info-schema.ts'
import { CONFIG_NAMES } from '../../model/policy/policy.ts'
import { reasoningLevelSchema } from '../../model/policy/policy-schema.ts'
import { REASONING_LEVELS } from '../../model/policy/preset-names.ts'
import { isPostgresUrl, snakeCase } from '../../model/values.ts'
import { mcpName, mcpServerSchema } from './mcp-settings.ts'
import { providerSettingsSchema } from './provider-settings.ts'
import { PERMISSION_CHOICES, SANDBOX_CHOICES, THEME_CHOICES } from './setting-choices.ts'

/** Whether commands run in a sandbox. */
export type SandboxSetting = z.infer<typeof sandboxSchema>
const sandboxSchema = z.enum(SANDBOX_CHOICES)

/** The actions that the agent's tools may take without asking. */
export type PermissionMode = z.infer<typeof permissionModeSchema>
export const permissionModeSchema = z.enum(PERMISSION_CHOICES)

/** The colours of the terminal; `auto` follows the terminal. */
export type ThemeSetting = z.infer<typeof themeSchema>
export const themeSchema = z.enum(THEME_CHOICES)

/** How the terminal notifies its user. */
export type NotifySetting = z.infer<typeof notifySchema>
const notifySchema = z.enum(['bell', 'desktop', 'off'])

const reasoningSchema = z.union([reasoningLevelSchema, z.record(z.string().min(1), reasoningLevelSchema)], {
  error: `expected ${REASONING_LEVELS.slice(0, -1).join(', ')} or ${REASONING_LEVELS.at(-1)}, or a table of these by model`,
})

const hookSchema = z.strictObject({
  command: z.string().min(1).describe('A shell command. It gets the event as JSON on standard input'),
  timeout_ms: z.number().int().positive().optional().describe('The most milliseconds it may take; 10,000 if not set'),
})
export const hooksSchema = z.strictObject({
  before_compaction: hookSchema
    .optional()
    .describe(
      'Runs before a compaction. Its output is added to the focus; an exit code other than 0 prevents the compaction',
    ),
  after_compaction: hookSchema.optional().describe('Runs after a compaction, with its result'),
})

export const providerSchema = z.strictObject(
  Object.fromEntries(Object.entries(providerSettingsSchema.shape).map(([key, schema]) => [snakeCase(key), schema])),
)
const providerId = z.string().regex(/^[A-Za-z0-9][\w.-]*$/, 'is not a name for a provider: use letters, digits, . - _')

/** Settings of the policy that may also be set at the top of the file. */
export const POLICY_SHORTCUTS: readonly string[] = Object.keys(CONFIG_NAMES)

const text = z.string().min(1).optional()
/** A URL of another kind would become a folder with its name. */
const storePlace = z
  .string()
  .min(1)
  .refine(
    (place) => isPostgresUrl(place) || !/^[a-z][a-z\d+.-]*:\/\//i.test(place),
    'must be a path or a postgres:// URL',
  )
  .optional()

/** A configuration file. The policy has a parser of its own, which checks it key by key. */
export type FileTable = z.infer<typeof fileSchema>
export const fileSchema = z.strictObject({
  model: text.describe(
    'The model: `provider/model`. Not set: a model of the first provider that has a key, otherwise of a local server',
  ),
  fallback_model: text.describe(
    'The model that takes over when the first one cannot be reached after all attempts; a notice says so',
  ),
  reasoning: reasoningSchema
    .optional()
    .describe(
      'How much the model thinks before it answers: `off`, `low`, `medium`, `high`, or a table of these by model. Not set: the provider’s default',
    ),
  permissions: permissionModeSchema.optional().describe('What tools may do without asking'),
  sandbox: sandboxSchema
    .optional()
    .describe(
      'Whether commands run in a sandbox: `on` lets them write only to the workspace, temporary folders and downloads of tools, and hides secrets, if the system has a sandbox; `no-network` also blocks the network; `off` uses no sandbox',
    ),
  sandbox_open: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Paths that the sandbox leaves open, such as `~/.aws`: a secret that it would hide can be read, and a cache that it would keep private to the session is the real one',
    ),
  policy: z.record(z.string(), z.unknown()).optional().describe('When and how to compact'),
  model_auto_compact_token_limit: z.unknown().optional().describe('Another name of `policy.token_limit`'),
  compact_prompt: z.unknown().optional().describe('Another name of `policy.prompt`'),
  preserve_count: z.unknown().optional().describe('Another name of `policy.keep_messages`'),
  providers: z.record(providerId, providerSchema).optional().describe('Your own providers, and changes to known ones'),
  models: z.array(registryEntrySchema).optional().describe('Your own models, and changes to known ones'),
  mcp: z.record(mcpName, mcpServerSchema).optional().describe('MCP servers whose tools the agent gets'),
  hooks: hooksSchema.optional().describe('Your own commands before and after a compaction'),
  step_limit: z.number().int().positive().optional().describe('The most model calls for one message of the user'),
  task_steps: z.number().int().positive().optional().describe('The most model calls of one sub-agent'),
  task_tokens: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('The most tokens of one sub-agent, over all its requests and answers'),
  task_cost: z
    .number()
    .positive()
    .optional()
    .describe('The most US dollars of one sub-agent, if the price of its model is known'),
  store: storePlace.describe(
    'Where sessions are kept: the path of a file, or a `postgres://` URL. Not set: `pith.db` in the data folder',
  ),
  instructions: z.boolean().optional().describe('Whether `AGENTS.md` is read'),
  memory: z
    .boolean()
    .optional()
    .describe('Whether new sessions begin with the memory of their project (`pith memory`), in folders that you trust'),
  theme: themeSchema.optional().describe('Colours of the terminal'),
  notify: notifySchema
    .optional()
    .describe(
      'How the terminal notifies you when it asks, and after a turn of ten seconds or more: `bell` rings, `desktop` also shows a notification if the terminal can (iTerm2, WezTerm, Ghostty, kitty), `off` is silent',
    ),
  checkpoint_mb: z
    .number()
    .nonnegative()
    .optional()
    .describe('The most megabytes of changed files that are kept for `/rewind`, over all sessions; 0 keeps none'),
  server: z.record(z.string(), z.unknown()).optional().describe('Settings of `pith serve`'),
  gateway: z.record(z.string(), z.unknown()).optional().describe('Settings of `pith gateway`'),
})

/** Keys of the file in the order in which they are shown. */
export const FILE_KEYS: readonly string[] = Object.keys(fileSchema.shape)
