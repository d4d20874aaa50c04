import { z } from 'zod'
import { PithError } from './errors.ts'
import { nearest } from './nearest.ts'
import { parse } from './parse.ts'

export type Preset = z.infer<typeof presetSchema>
export const presetSchema = z.enum(['pith', 'keen', 'koda', 'agent', 'kit'])

/** One step of the ladder. */
export type Rung = z.infer<typeof rungSchema>
export const rungSchema = z.enum(['mask', 'warm', 'cold', 'digest', 'squeeze'])

const percent = z.number().min(0).max(100)
const tokens = z.number().int()

const fields = {
  preset: presetSchema,
  /** `auto` compacts by itself, `ask` asks first, `off` never does either. */
  mode: z.enum(['auto', 'ask', 'off']),
  /** From here on the status suggests `/compact`; 0 never does. */
  suggestPercent: percent,
  /** Automatic compaction at this share of the window; 0 does not use it. */
  triggerPercent: percent,
  /** Automatic compaction at this many tokens, in place of the percentage. */
  tokenLimit: tokens.positive().optional(),
  /** The summary is prepared in the background from this share of the trigger on; 0 never is. */
  preparePercent: percent,
  /** Tokens of the window that stay free for an answer; 0 does not use it (in `kit`: its default). */
  reserveTokens: tokens,
  reserveMaxPercent: percent,
  /** A compaction is committed only if the rebuilt request is at most this share of the window. */
  targetPercent: percent.positive(),
  /** No automatic compaction again before the context has grown by this share of the window. */
  growthPercent: percent,
  /** The tail by tokens … */
  keepTokens: tokens,
  keepMaxPercent: percent,
  /** … or, if set, by messages. Both 0: no tail. */
  keepMessages: z.number().int().nonnegative().optional(),
  /** Fewer messages than this before the cut are not worth a summary. */
  minSpanMessages: z.number().int().positive(),
  /** Whether the summary is written from what it replaces or from the whole view, the tail included. */
  covers: z.enum(['span', 'everything']),
  /** Allowances of the rebuilt context, each at most `allowanceMaxPercent` of the window. */
  summaryTokens: tokens.positive(),
  indexTokens: tokens.nonnegative(),
  allowanceMaxPercent: percent.positive(),
  /** Which model writes the summary: the session's, a cheaper one of its provider, or a `provider/model`. */
  summaryModel: z.string().min(1),
  /** Replaces the summary prompt; `{messages}` in it is where the conversation goes. */
  prompt: z.string().min(1).optional(),
  /** Tool results, arguments and reasoning are cut at this many characters for the summariser; 0 never cuts. */
  cutCharacters: z.number().int().nonnegative(),
  /** The rungs of the ladder that may be used. */
  rungs: z.array(rungSchema).min(1),
  breakerFailures: z.number().int().positive(),
  breakerCooldownMs: z.number().int().nonnegative(),
}

/** The settings that decide when and how to compact. */
export type Policy = z.infer<typeof policySchema>
export const policySchema = z.strictObject(fields)

/** Some settings of a policy; the rest comes from its preset. */
export type PolicyPatch = z.infer<typeof policyPatchSchema>
export const policyPatchSchema = z.strictObject(fields).partial()

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
    const result = (fields as Record<string, z.ZodType>)[key]?.safeParse(setting)
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
