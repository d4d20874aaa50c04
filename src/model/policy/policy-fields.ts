import { PRESET_NAMES, STYLE_NAMES } from './preset-names.ts'

/** The values that a setting may have. `optional`: a whole policy need not have it. */
export type PolicyField = {
  readonly meaning: string
  readonly optional?: true
} & (
  | NumberField
  | { readonly kind: 'flag' | 'text' }
  | { readonly kind: 'choice' | 'list'; readonly of: readonly string[] }
)

/** A number from `min` to `max`, greater than `above`. */
export type NumberField = {
  readonly kind: 'number'
  readonly whole?: true
  readonly min?: number
  readonly max?: number
  readonly above?: number
}

/** The steps of the ladder. */
export const RUNG_NAMES = ['mask', 'warm', 'cold', 'digest', 'squeeze'] as const

const percent = { kind: 'number', min: 0, max: 100 } as const
const whole = { kind: 'number', whole: true } as const

/** Every setting of a policy: its name, its values and its meaning. Types, checks, schemas and docs come from here. */
export const POLICY_FIELDS = {
  preset: {
    kind: 'choice',
    of: PRESET_NAMES,
    meaning: 'The settings below that you do not set have the values of this preset: see policies.md',
  },
  mode: {
    kind: 'choice',
    of: ['auto', 'ask', 'off'],
    meaning:
      '`auto` compacts automatically, `ask` first asks and shows a preview, `off` leaves every compaction to the user',
  },
  suggestPercent: {
    ...percent,
    meaning: 'The status suggests `/compact` from this percentage of the window on; 0: never',
  },
  triggerPercent: {
    ...percent,
    meaning: 'Compact automatically at this percentage of the window; 0: the window’s percentage does not trigger',
  },
  triggerMaxTokens: {
    ...whole,
    above: 0,
    optional: true,
    meaning:
      'Compact automatically at the latest when the conversation has this many tokens, without system prompt and tools. Setting `trigger_percent` or `token_limit` switches this off',
  },
  coldTriggerPercent: {
    ...percent,
    optional: true,
    meaning:
      "When the provider's prompt cache has expired (5 minutes at Anthropic), compact already at this percentage of the trigger. Not in mode `ask`. Setting `trigger_percent` or `token_limit` switches this off",
  },
  endOfWorkPercent: {
    ...percent,
    optional: true,
    meaning:
      'From this percentage of the trigger on (without system prompt and tools), compact at the next end of work: the turn ended, all to-dos are done, the tests passed after edits, a commit was made, or a command is still running. At the trigger it does not wait. Not in mode `ask`. Setting `trigger_percent` or `token_limit` switches this off',
  },
  smallWindowTokens: {
    ...whole,
    above: 0,
    optional: true,
    meaning:
      'On a window from 16,000 tokens up to this many, compact later and deeper: the trigger is 85 % of the window, the reserve at most 15 %, the target 45 %. Setting one of these, or `token_limit`, switches this off',
  },
  tokenLimit: {
    ...whole,
    above: 0,
    optional: true,
    meaning:
      'Compact automatically at this many tokens, not counting messages that the model has not read yet; replaces `trigger_percent`',
  },
  preparePercent: {
    ...percent,
    meaning: 'Prepare the summary in the background from this percentage of the trigger on; 0: never',
  },
  reserveTokens: { ...whole, meaning: 'Keep this many tokens of the window free for an answer; 0: none' },
  reserveMaxPercent: { ...percent, meaning: 'The reserve is at most this percentage of the window' },
  reserveTrigger: {
    kind: 'choice',
    of: ['at', 'above'],
    meaning: 'Compact automatically `at` window − reserve tokens, or only `above` that number',
  },
  targetPercent: {
    ...percent,
    above: 0,
    meaning:
      'The target: the rebuilt request has at most this percentage of the window, not counting messages that the model has not read yet. Large fixed parts raise it',
  },
  targetMaxTokens: {
    ...whole,
    above: 0,
    optional: true,
    meaning: 'The target is at most this many tokens, plus system prompt and tools',
  },
  fitTarget: {
    kind: 'flag',
    meaning:
      'Make every compaction fit the target, not counting messages that the model has not read yet: shorten the tail, squeeze oversized messages, refuse a result that is over the target or not smaller than before, and try smaller windows if the provider still refuses. `false`: accept a tail and a summary of any size',
  },
  growthPercent: {
    ...percent,
    meaning: 'After a compaction, wait until the context has grown by this percentage of the window',
  },
  keepTokens: { ...whole, meaning: 'The tail that stays verbatim has at most this many tokens' },
  keepMaxPercent: { ...percent, meaning: 'The tail is at most this percentage of the window' },
  keepMessages: {
    ...whole,
    min: 0,
    optional: true,
    meaning:
      'The tail has this many messages; replaces `keep_tokens`; 0: there is no tail. With `fit_target`, fewer messages are kept if the session would not fit otherwise',
  },
  keepLatestMessage: {
    kind: 'flag',
    meaning: "The user's latest message stays verbatim, even if it is before the cut",
  },
  zeroIsDefault: {
    kind: 'flag',
    meaning: 'In `reserve_tokens` and `keep_tokens`, 0 or less means the value of the preset',
  },
  minSpanMessages: { ...whole, above: 0, meaning: 'Do not summarise fewer messages than this' },
  covers: {
    kind: 'choice',
    of: ['span', 'everything'],
    meaning: 'Write the summary from the `span` that it replaces, or from `everything`, including the tail',
  },
  splitTurns: {
    kind: 'flag',
    meaning: 'When the cut splits a turn, summarise the beginning of that turn separately, under a heading of its own',
  },
  updateSummary: {
    kind: 'flag',
    meaning: 'When an earlier summary is in the span, ask the model to update it with the messages since then',
  },
  summaryTokens: {
    ...whole,
    min: 0,
    meaning: 'The summary has at most this many tokens; 0: the provider decides',
  },
  indexTokens: {
    ...whole,
    min: 0,
    meaning: 'Where there is no target, the lines of the record have so many tokens beside the summary',
  },
  indexFacts: {
    kind: 'choice',
    of: ['all', 'files'],
    meaning:
      'What the frame `kit` shows beside a summary: nothing (`all`), or the `files` that the tools for files named in the whole view, including the tail',
  },
  nameTokens: {
    ...whole,
    min: 0,
    meaning: 'List names under masked output, with at most this many tokens; 0: none',
  },
  nameMaxPercent: { ...percent, meaning: 'The listed names are at most this percentage of the window' },
  allowanceMaxPercent: {
    ...percent,
    above: 0,
    meaning: 'The summary, and without a target the lines beside it, are each at most this percentage of the window',
  },
  summaryModel: {
    kind: 'text',
    meaning:
      "The model that writes the summary: `main` is the session's model, `standard` a cheaper one of its provider; or any `provider/model`",
  },
  prompt: {
    kind: 'text',
    optional: true,
    meaning: 'Replaces the summary prompt; `{messages}` in it is replaced by the conversation',
  },
  promptSet: { kind: 'choice', of: STYLE_NAMES, meaning: 'The system whose prompts ask for the summary' },
  frame: {
    kind: 'choice',
    of: STYLE_NAMES,
    meaning:
      'The system whose form the summary has in the view: its role, and the text around it. Only `pith` has lines of the log beside a summary, and `kit` lists of files',
  },
  redactSecrets: {
    kind: 'flag',
    meaning:
      'Remove keys, tokens and passwords from the text that is summarised and from the record; the log keeps them',
  },
  verify: {
    kind: 'flag',
    meaning:
      'Check the names in a summary: report those that the conversation does not contain (in the frame `pith` the model reads them under the summary), and refuse a summary if most are not in it and a digest can replace it',
  },
  cutCharacters: {
    ...whole,
    min: 0,
    meaning:
      'The summariser gets at most this many characters of a tool result, of arguments and of reasoning; 0: all of them',
  },
  estimator: {
    kind: 'choice',
    of: ['features', 'characters'],
    meaning:
      'How tokens are estimated: by `features` of the text, or as `characters` divided by four; nearly all counts of either kind are scaled to those of the provider',
  },
  rungs: {
    kind: 'list',
    of: RUNG_NAMES,
    meaning: 'The rungs of the ladder that may be used; `[mask, digest, squeeze]` never asks a model',
  },
  breakerFailures: { ...whole, above: 0, meaning: 'After this many failures in a row, automatic compaction pauses' },
  breakerCooldownMs: { ...whole, min: 0, meaning: 'How long it pauses before it tries again' },
} as const satisfies Readonly<Record<string, PolicyField>>
