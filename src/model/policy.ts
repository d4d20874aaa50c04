import { z } from 'zod'
import { PithError } from './errors.ts'
import { nearest } from './nearest.ts'
import { parse } from './parse.ts'

/** The systems whose way of compacting is built in; `pith` is our own. */
export type Preset = z.infer<typeof presetSchema>
export const presetSchema = z.enum(['pith', 'keen', 'koda', 'agent', 'kit'])

/** What can be chosen by name: our own way at three prices, of which `balanced` is the default, or another system's. */
export type PresetName = z.infer<typeof presetNameSchema>
export const presetNameSchema = z.enum([...presetSchema.options, 'economy', 'balanced', 'full-window'])

/** One step of the ladder. */
export type Rung = z.infer<typeof rungSchema>
export const rungSchema = z.enum(['mask', 'warm', 'cold', 'digest', 'squeeze'])

const percent = z.number().min(0).max(100)
const tokens = z.number().int()

const fields = {
  preset: presetSchema,
  mode: z
    .enum(['auto', 'ask', 'off'])
    .describe('`auto` compacts by itself, `ask` asks first with a preview, `off` never does either'),
  suggestPercent: percent.describe('From this share of the window on the status suggests `/compact`; 0 never does'),
  triggerPercent: percent.describe('Automatic compaction at this share of the window; 0 does not use it'),
  triggerMaxTokens: tokens
    .positive()
    .optional()
    .describe(
      '… but at the latest when what was said has this many tokens, system prompt, tools and names not counted; not used where `trigger_percent` or `token_limit` is set',
    ),
  coldTriggerPercent: percent
    .optional()
    .describe(
      'After a pause in which the provider has forgotten the last request (5 minutes at Anthropic) all is written into its cache anew: then automatic compaction from this share of the trigger on; not used in mode `ask`, nor where `trigger_percent` or `token_limit` is set',
    ),
  tokenLimit: tokens
    .positive()
    .optional()
    .describe('Automatic compaction at this many tokens, in place of the percentage'),
  preparePercent: percent.describe(
    'The summary is prepared in the background from this share of the trigger on; 0 never is',
  ),
  reserveTokens: tokens.describe(
    'Tokens of the window that stay free for an answer; 0 does not use it (in `kit`: its default)',
  ),
  reserveMaxPercent: percent.describe('… but at most this share of the window'),
  targetPercent: percent
    .positive()
    .describe('A compaction is committed only if the rebuilt request is at most this share of the window'),
  targetMaxTokens: tokens
    .positive()
    .optional()
    .describe('… and at most this many tokens beside system prompt, tools and names'),
  growthPercent: percent.describe(
    'No automatic compaction again before the context has grown by this share of the window',
  ),
  keepTokens: tokens.describe('The tail, which stays verbatim, by tokens (in `kit` 0 is its default)'),
  keepMaxPercent: percent.describe('… but at most this share of the window'),
  keepMessages: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('The tail by messages, in place of tokens; 0 keeps none'),
  minSpanMessages: z.number().int().positive().describe('Fewer messages than this are not worth a summary'),
  covers: z
    .enum(['span', 'everything'])
    .describe('Whether the summary is written from what it replaces or from the whole view, the tail included'),
  summaryTokens: tokens.positive().describe('The most that a summary may have in the rebuilt context'),
  indexTokens: tokens.nonnegative().describe('The most that the index may have there; 0 leaves it out'),
  nameTokens: tokens
    .nonnegative()
    .describe(
      'The most that names from earlier calls and results may have there and under masked output; 0 leaves them out',
    ),
  nameMaxPercent: percent.describe('… but at most this share of the window'),
  allowanceMaxPercent: percent.positive().describe('Summary and index are each at most this share of the window'),
  summaryModel: z
    .string()
    .min(1)
    .describe(
      "Who writes the summary: `main` is the session's model, `standard` a cheaper one of its provider, or a `provider/model`",
    ),
  prompt: z
    .string()
    .min(1)
    .optional()
    .describe('Replaces the summary prompt; `{messages}` in it is where the conversation goes'),
  cutCharacters: z
    .number()
    .int()
    .nonnegative()
    .describe('Tool results, arguments and reasoning are cut at this many characters for the summariser; 0 never cuts'),
  rungs: z
    .array(rungSchema)
    .min(1)
    .describe('The rungs of the ladder that may be used; `[mask, digest, squeeze]` never asks a model'),
  breakerFailures: z.number().int().positive().describe('After so many failures in a row automatic compaction waits'),
  breakerCooldownMs: z.number().int().nonnegative().describe('How long it waits before it tries once more'),
}

/** A preset is named where it is set; a whole policy says whose way it is. */
const patchFields = {
  ...fields,
  preset: presetNameSchema.describe('Whose defaults hold for what is not set: see policies.md'),
}

/** The settings that decide when and how to compact. */
export type Policy = z.infer<typeof policySchema>
export const policySchema = z.strictObject(fields)

/** Some settings of a policy; the rest comes from its preset. */
export type PolicyPatch = z.infer<typeof policyPatchSchema>
export const policyPatchSchema = z.strictObject(patchFields).partial()

const KEYS = Object.keys(fields)

/** Keys of the configuration file that have a name of their own; the others are the policy's in snake_case. */
export const CONFIG_NAMES: Readonly<Record<string, keyof PolicyPatch>> = {
  model_auto_compact_token_limit: 'tokenLimit',
  compact_prompt: 'prompt',
  preserve_count: 'keepMessages',
}

/** Parses policy settings as TypeScript users write them. Unknown keys are refused, naming the nearest known one. */
export function parsePolicyPatch(value: unknown, what = 'policy'): PolicyPatch {
  return parse(policyPatchSchema, value, { what, code: 'bad-policy', keys: KEYS })
}

/** Parses policy settings as the configuration file and the HTTP API write them, in snake_case. */
export function parsePolicyConfig(value: unknown, what = 'configuration'): PolicyPatch {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PithError('bad-policy', `${what}: expected a table of settings`)
  }
  const names = new Map([...KEYS.map((key) => [snakeCase(key), key] as const), ...Object.entries(CONFIG_NAMES)])
  const patch: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(value)) {
    const key = names.get(name)
    if (key === undefined) {
      const meant = nearest(name, [...names.keys()])
      throw new PithError(
        'bad-policy',
        `${what}: unknown key \`${name}\`${meant === undefined ? '' : `, did you mean \`${meant}\`?`}`,
      )
    }
    const result = (patchFields as Record<string, z.ZodType>)[key]?.safeParse(setting)
    if (result?.success === false) {
      throw new PithError('bad-policy', `${what}: ${name}: ${result.error.issues[0]?.message ?? 'is not valid'}`)
    }
    patch[key] = setting
  }
  return parsePolicyPatch(patch, what)
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
