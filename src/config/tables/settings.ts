import { toModelInfo } from '../../model/model-info-schema.ts'
import { type PolicyPatch, type Preset, parsePolicyConfig } from '../../model/policy/policy.ts'
import { presetSchema, type ReasoningLevel } from '../../model/policy/policy-schema.ts'
import { PRESETS } from '../../model/policy/presets.ts'
import { PithError } from '../../model/problems/errors.ts'
import { parse } from '../../model/problems/parse.ts'
import type { ModelInfo } from '../../model/types.ts'
import { camelCase } from '../../model/values.ts'
import { keyOf, tableOf, type Value } from '../values-of.ts'
import {
  fileSchema,
  type NotifySetting,
  type PermissionMode,
  type SandboxSetting,
  type ThemeSetting,
} from './file-schema.ts'
import { type McpServerSettings, mcpServerOf } from './mcp-settings.ts'
import { type ProviderSettings, providerSettingsSchema } from './provider-settings.ts'

/** A command of the user that runs before or after a compaction. */
export type Hook = { readonly command: string; readonly timeoutMs?: number }

/** The configuration in the form that the program uses. */
export type Settings = {
  /** `provider/model`; absent when no source names one. */
  readonly model?: string
  /** The model that takes over when the first cannot be reached. */
  readonly fallbackModel?: string
  /** How much models think, for all of them or by their names. If absent, the provider's default applies. */
  readonly reasoning?: ReasoningLevel | Readonly<Record<string, ReasoningLevel>>
  readonly permissions: PermissionMode
  readonly sandbox: SandboxSetting
  /** Paths that the sandbox neither hides nor keeps private. */
  readonly sandboxOpen: readonly string[]
  /** The settings of the policy that are set; the rest comes from the preset. */
  readonly policy: PolicyPatch
  readonly providers: Readonly<Record<string, ProviderSettings>>
  /** The user's own models, for `withModels`. */
  readonly models: readonly ModelInfo[]
  /** MCP servers of the configuration by their names; those of a project's `.mcp.json` are not among them. */
  readonly mcp: Readonly<Record<string, McpServerSettings>>
  readonly hooks: { readonly beforeCompaction?: Hook; readonly afterCompaction?: Hook }
  /** The most model calls for one message of the user. */
  readonly stepLimit: number
  /** The most model calls, tokens and US dollars of one sub-agent. */
  readonly taskSteps: number
  readonly taskTokens: number
  readonly taskCost: number
  /** For `openStore`: a path or a PostgreSQL URL. If absent, the file in the user's data folder. */
  readonly store?: string
  /** Whether `AGENTS.md` is read. */
  readonly instructions: boolean
  /** Whether new sessions begin with the memory of their project. */
  readonly memory: boolean
  readonly theme: ThemeSetting
  readonly notify: NotifySetting
  /** The most megabytes of files that are kept for `/rewind`; 0 keeps none. */
  readonly checkpointMb: number
  readonly server: Readonly<Record<string, unknown>>
  readonly gateway: Readonly<Record<string, unknown>>
}

/** The values of settings that no source sets. */
export const DEFAULTS = {
  permissions: 'ask',
  sandbox: 'on',
  sandbox_open: [],
  policy: { preset: 'pith' },
  step_limit: 200,
  task_steps: 60,
  task_tokens: 3_000_000,
  task_cost: 2,
  instructions: true,
  memory: true,
  theme: 'auto',
  notify: 'bell',
  checkpoint_mb: 500,
} as const

/** The settings of these values. Each value was checked when it was read. */
export function settingsOf(values: readonly Value[]): Settings {
  const { models, ...table } = tableOf(values)
  const { policy, providers, mcp, hooks, server, gateway, ...rest } = parse(fileSchema, table, {
    what: 'configuration',
    code: 'bad-config',
  })
  return {
    model: rest.model,
    fallbackModel: rest.fallback_model,
    reasoning: rest.reasoning,
    store: rest.store,
    permissions: rest.permissions ?? DEFAULTS.permissions,
    sandbox: rest.sandbox ?? DEFAULTS.sandbox,
    sandboxOpen: rest.sandbox_open ?? DEFAULTS.sandbox_open,
    policy: policyIn(policy ?? {}, values),
    providers: Object.fromEntries(Object.entries(providers ?? {}).map(([id, provider]) => [id, providerOf(provider)])),
    models: modelsIn(models),
    mcp: Object.fromEntries(Object.entries(mcp ?? {}).map(([name, server]) => [name, mcpServerOf(server)])),
    hooks: {
      beforeCompaction: hookOf(hooks?.before_compaction),
      afterCompaction: hookOf(hooks?.after_compaction),
    },
    stepLimit: rest.step_limit ?? DEFAULTS.step_limit,
    taskSteps: rest.task_steps ?? DEFAULTS.task_steps,
    taskTokens: rest.task_tokens ?? DEFAULTS.task_tokens,
    taskCost: rest.task_cost ?? DEFAULTS.task_cost,
    instructions: rest.instructions ?? DEFAULTS.instructions,
    memory: rest.memory ?? DEFAULTS.memory,
    theme: rest.theme ?? DEFAULTS.theme,
    notify: rest.notify ?? DEFAULTS.notify,
    checkpointMb: rest.checkpoint_mb ?? DEFAULTS.checkpoint_mb,
    server: server ?? {},
    gateway: gateway ?? {},
  }
}

/** The preset in these values. */
export function presetIn(values: readonly Value[]): Preset {
  const named = values.find((value) => keyOf(value) === 'policy.preset')
  return presetSchema.parse(named?.value ?? DEFAULTS.policy.preset)
}

/** The policy. Negative numbers are checked only here: one source may set the number, and another the preset that allows it. */
function policyIn(table: Record<string, unknown>, values: readonly Value[]): PolicyPatch {
  const patch = parsePolicyConfig(table)
  const below = values.find(({ path, value }) => path[0] === 'policy' && typeof value === 'number' && value < 0)
  if (below !== undefined && !(patch.zeroIsDefault ?? PRESETS[presetIn(values)].zeroIsDefault))
    throw new PithError('bad-config', `${below.where}: ${below.written}: must not be negative`)
  return patch
}

function providerOf(table: Record<string, unknown>): ProviderSettings {
  const settings = Object.fromEntries(Object.entries(table).map(([key, value]) => [camelCase(key), value]))
  return parse(providerSettingsSchema, settings, { what: 'providers', code: 'bad-config' })
}

function modelsIn(table: unknown): ModelInfo[] {
  const entries = parse(
    fileSchema,
    { models: Object.values(table ?? {}) },
    { what: 'configuration', code: 'bad-config' },
  )
  return (entries.models ?? []).map(toModelInfo)
}

function hookOf(hook: { command: string; timeout_ms?: number } | undefined): Hook | undefined {
  return hook === undefined ? undefined : { command: hook.command, timeoutMs: hook.timeout_ms }
}
