import { PithError } from '../problems/errors.ts'
import { type Policy, type PolicyPatch, type Preset, parsePolicyPatch } from './policy.ts'

/** Uses the whole window except the room for an answer: the fewest compactions, and the most expensive on a large window. */
const fullWindow: Policy = {
  preset: 'full-window',
  mode: 'auto',
  suggestPercent: 70,
  triggerPercent: 80,
  // On 128,000 tokens the later trigger of small windows costs more. Between 32,000 and that nothing was measured.
  smallWindowTokens: 65_536,
  preparePercent: 0,
  reserveTokens: 16_384,
  reserveMaxPercent: 25,
  reserveTrigger: 'at',
  targetPercent: 50,
  fitTarget: true,
  growthPercent: 10,
  keepTokens: 20_000,
  keepMaxPercent: 25,
  keepLatestMessage: true,
  zeroIsDefault: false,
  minSpanMessages: 2,
  covers: 'span',
  splitTurns: false,
  updateSummary: true,
  summaryTokens: 8_000,
  indexTokens: 8_000,
  indexFacts: 'all',
  nameTokens: 8_000,
  nameMaxPercent: 3,
  allowanceMaxPercent: 10,
  summaryModel: 'main',
  promptSet: 'pith',
  frame: 'pith',
  redactSecrets: true,
  verify: true,
  cutCharacters: 2_000,
  estimator: 'features',
  rungs: ['mask', 'warm', 'cold', 'digest', 'squeeze'],
  breakerFailures: 3,
  breakerCooldownMs: 5 * 60_000,
}

/**
 * At these numbers, more tokens begin to add little of what is edited and referred to next. `npm run bench -- cost` has the
 * measurements, and those of other triggers and targets.
 */
const pith: Policy = {
  ...fullWindow,
  preset: 'pith',
  triggerMaxTokens: 130_000,
  targetMaxTokens: 48_000,
  coldTriggerPercent: 50,
  // 80,000 of 130,000: the cheapest of those that were tried on one half of the recorded sessions (bench/tried.md).
  endOfWorkPercent: 62,
}

/** The cheapest: a short tail and a record of the rest. */
const economy: Policy = { ...pith, preset: 'economy', triggerMaxTokens: 80_000, targetMaxTokens: 24_000 }

/** The common values of the presets of other systems: one way to summarise, and none of the default policy's additions. */
const ported: Policy = {
  ...fullWindow,
  smallWindowTokens: undefined,
  reserveTokens: 0,
  fitTarget: false,
  growthPercent: 0,
  keepTokens: 0,
  keepLatestMessage: false,
  minSpanMessages: 1,
  updateSummary: false,
  // These presets have no other rung if a summary is cut off.
  summaryTokens: 0,
  indexTokens: 0,
  nameTokens: 0,
  redactSecrets: true,
  verify: false,
  estimator: 'characters',
  rungs: ['cold'],
}

const keen: Policy = {
  ...ported,
  preset: 'keen',
  mode: 'off',
  triggerPercent: 0,
  covers: 'everything',
  promptSet: 'keen',
  frame: 'keen',
  cutCharacters: 0,
}

const koda: Policy = {
  ...ported,
  preset: 'koda',
  keepMessages: 4,
  minSpanMessages: 2,
  summaryModel: 'standard',
  promptSet: 'koda',
  frame: 'koda',
}

const agent: Policy = {
  ...ported,
  preset: 'agent',
  keepMessages: 5,
  minSpanMessages: 2,
  promptSet: 'agent',
  frame: 'agent',
}

const kit: Policy = {
  ...ported,
  preset: 'kit',
  triggerPercent: 0,
  reserveTokens: 16_384,
  reserveMaxPercent: 100,
  reserveTrigger: 'above',
  keepTokens: 20_000,
  keepMaxPercent: 100,
  zeroIsDefault: true,
  minSpanMessages: 2,
  splitTurns: true,
  indexTokens: 8_000,
  indexFacts: 'files',
  promptSet: 'kit',
  frame: 'kit',
}

/** The default policy, its two neighbours in price, and the four systems that it grew out of. */
export const PRESETS: Readonly<Record<Preset, Policy>> = {
  pith,
  economy,
  balanced: { ...pith, preset: 'balanced' },
  // Its target is half of the window: a lower share would leave no room to grow in.
  'full-window': { ...fullWindow, endOfWorkPercent: 80 },
  keen,
  koda,
  agent,
  kit,
}

/**
 * A whole policy: the given values, and those of the preset for the rest.
 *
 * @example
 * ```ts
 * import { policyOf } from 'pith'
 *
 * console.log(policyOf({ preset: 'economy', mode: 'ask' }).triggerMaxTokens)
 * ```
 */
export function policyOf(patch: PolicyPatch = {}): Policy {
  const given = parsePolicyPatch(patch)
  const preset = PRESETS[given.preset ?? 'pith']
  const policy: Policy = { ...withoutCaps(preset, given), ...withoutUndefined(given) }
  for (const key of ['reserveTokens', 'keepTokens'] as const) {
    if (policy[key] <= 0 && policy.zeroIsDefault) policy[key] = preset[key]
    if (policy[key] < 0) throw new PithError('bad-policy', `policy: ${key}: must not be negative`)
  }
  return policy
}

/** Throws if the settings are not a valid policy. */
export function checkPolicy(patch: PolicyPatch): void {
  policyOf(patch)
}

/**
 * An explicit `triggerPercent` or `tokenLimit` switches off the preset's token caps, its earlier triggers and its rule for small
 * windows. An explicit reserve or target only switches off the rule.
 */
function withoutCaps({ smallWindowTokens, ...preset }: Policy, given: PolicyPatch): Policy {
  if (given.triggerPercent === undefined && given.tokenLimit === undefined)
    return RULED.some((key) => given[key] !== undefined) ? preset : { ...preset, smallWindowTokens }
  const { triggerMaxTokens: _, targetMaxTokens: __, coldTriggerPercent: ___, endOfWorkPercent: ____, ...rest } = preset
  return rest
}

/** The values of the rule for small windows, besides the trigger. */
const RULED = ['reserveTokens', 'reserveMaxPercent', 'targetPercent'] as const

function withoutUndefined(patch: PolicyPatch): PolicyPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}
