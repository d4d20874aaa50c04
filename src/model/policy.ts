import { z } from 'zod'
import { snakeCase } from './case.ts'
import { PithError } from './errors.ts'
import { nearest } from './nearest.ts'
import { parse } from './parse.ts'
import { PRESET_NAMES, STYLE_NAMES } from './preset-names.ts'

/** The systems whose wording is built in: their prompts, and the frame around a summary. `pith` is our own. */
export type Style = z.infer<typeof styleSchema>
export const styleSchema = z.enum(STYLE_NAMES)

/** The names of the built-in policies: our own at three prices (`balanced` is `pith`), and four of other systems. */
export type Preset = z.infer<typeof presetSchema>
export const presetSchema = z.enum(PRESET_NAMES)

/** One step of the ladder. */
export type Rung = z.infer<typeof rungSchema>
export const rungSchema = z.enum(['mask', 'warm', 'cold', 'digest', 'squeeze'])

const percent = z.number().min(0).max(100)
const tokens = z.number().int()

const fields = {
  preset: presetSchema.describe(
    'The settings below that you do not set have the values of this preset: see policies.md',
  ),
  mode: z
    .enum(['auto', 'ask', 'off'])
    .describe(
      '`auto` compacts automatically, `ask` first asks and shows a preview, `off` leaves every compaction to the user',
    ),
  suggestPercent: percent.describe('The status suggests `/compact` from this percentage of the window on; 0: never'),
  triggerPercent: percent.describe(
    'Compact automatically at this percentage of the window; 0: the window’s percentage does not trigger',
  ),
  triggerMaxTokens: tokens
    .positive()
    .optional()
    .describe(
      'Compact automatically at the latest when the conversation has this many tokens, without system prompt, tools and listed names. Setting `trigger_percent` or `token_limit` switches this off',
    ),
  coldTriggerPercent: percent
    .optional()
    .describe(
      "When the provider's prompt cache has expired (5 minutes at Anthropic), compact already at this percentage of the trigger. Not in mode `ask`. Setting `trigger_percent` or `token_limit` switches this off",
    ),
  tokenLimit: tokens
    .positive()
    .optional()
    .describe(
      'Compact automatically at this many tokens, less what the model has not read yet; replaces `trigger_percent`',
    ),
  preparePercent: percent.describe(
    'Prepare the summary in the background from this percentage of the trigger on; 0: never',
  ),
  reserveTokens: tokens.describe('Keep this many tokens of the window free for an answer; 0: none'),
  reserveMaxPercent: percent.describe('The reserve is at most this percentage of the window'),
  reserveTrigger: z
    .enum(['at', 'above'])
    .describe('Compact automatically `at` window − reserve tokens, or only `above` that number'),
  targetPercent: percent
    .positive()
    .describe(
      'The target: the rebuilt request, less what the model has not read yet, has at most this percentage of the window. Large fixed parts raise it',
    ),
  targetMaxTokens: tokens
    .positive()
    .optional()
    .describe('The target is at most this many tokens, plus system prompt, tools and listed names'),
  fitTarget: z
    .boolean()
    .describe(
      'Make every compaction fit the target, and do not count what the model has not read yet: shorten the tail, squeeze what is too large, refuse a result over the target or not smaller than before, and try smaller windows when the provider still refuses. `false`: accept what the tail and the summary come to',
    ),
  growthPercent: percent.describe(
    'After a compaction, wait until the context has grown by this percentage of the window',
  ),
  keepTokens: tokens.describe('The tail that stays verbatim has at most this many tokens'),
  keepMaxPercent: percent.describe('The tail is at most this percentage of the window'),
  keepMessages: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe(
      'The tail has this many messages; replaces `keep_tokens`; 0: there is no tail. With `fit_target` it gives way before a session no longer fits',
    ),
  keepLatestMessage: z
    .boolean()
    .describe("The user's latest message stays verbatim, even when it stands before the cut"),
  zeroIsDefault: z.boolean().describe('In `reserve_tokens` and `keep_tokens`, 0 or less means the value of the preset'),
  minSpanMessages: z.number().int().positive().describe('Do not summarise fewer messages than this'),
  covers: z
    .enum(['span', 'everything'])
    .describe('Write the summary from the `span` that it replaces, or from `everything`, the tail included'),
  splitTurns: z
    .boolean()
    .describe(
      'When the cut splits a turn, summarise the beginning of that turn separately, under a heading of its own',
    ),
  updateSummary: z
    .boolean()
    .describe('When an earlier summary is in the span, ask the model to update it with what came since'),
  summaryTokens: tokens
    .nonnegative()
    .describe('The summary has at most this many tokens; 0: as many as the provider gives'),
  indexTokens: tokens.nonnegative().describe('The index under the summary has at most this many tokens; 0: no index'),
  indexFacts: z
    .enum(['all', 'files'])
    .describe(
      'All facts are stored. The record shows `all` of them, or only the `files` that the tools for files named in the whole view, the tail included',
    ),
  nameTokens: tokens
    .nonnegative()
    .describe(
      'List names from earlier calls and results, in the record and under masked output, with at most this many tokens; 0: none',
    ),
  nameMaxPercent: percent.describe('The listed names are at most this percentage of the window'),
  allowanceMaxPercent: percent
    .positive()
    .describe('The summary and the index are each at most this percentage of the window'),
  summaryModel: z
    .string()
    .min(1)
    .describe(
      "The model that writes the summary: `main` is the session's model, `standard` a cheaper one of its provider; or any `provider/model`",
    ),
  prompt: z
    .string()
    .min(1)
    .optional()
    .describe('Replaces the summary prompt; `{messages}` in it is where the conversation goes'),
  promptSet: styleSchema.describe('The system whose prompts ask for the summary'),
  frame: styleSchema.describe(
    'The system whose form the summary has in the view: its role, and the text around it. The index appears only in `pith`, its files also in `kit`',
  ),
  redactSecrets: z
    .boolean()
    .describe(
      'Leave keys, tokens and passwords out of what a summary is made of and of the record; the log keeps them',
    ),
  verify: z
    .boolean()
    .describe(
      'Check the names in a summary, and report those that the conversation does not contain (in the frame `pith` the model reads them under the summary)',
    ),
  cutCharacters: z
    .number()
    .int()
    .nonnegative()
    .describe(
      'The summariser gets at most this many characters of a tool result, of arguments and of reasoning; 0: all of them',
    ),
  estimator: z
    .enum(['features', 'characters'])
    .describe(
      "How tokens are estimated: by `features` of the text, corrected by the provider's counts, or as `characters` divided by four",
    ),
  rungs: z
    .array(rungSchema)
    .min(1)
    .describe('The rungs of the ladder that may be used; `[mask, digest, squeeze]` never asks a model'),
  breakerFailures: z
    .number()
    .int()
    .positive()
    .describe('After this many failures in a row, automatic compaction pauses'),
  breakerCooldownMs: z.number().int().nonnegative().describe('How long it pauses before it tries again'),
}

/** The settings that decide when and how to compact. The preset is a label: nothing else depends on it. */
export type Policy = z.infer<typeof policySchema>
export const policySchema = z.strictObject(fields)

/** Some settings of a policy; the rest comes from its preset. */
export type PolicyPatch = z.infer<typeof policyPatchSchema>
export const policyPatchSchema = policySchema.partial()

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
