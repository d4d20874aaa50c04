import { PithError } from './errors.ts'
import { type Policy, type PolicyPatch, type PresetName, parsePolicyPatch } from './policy.ts'

/** The whole window, as far as an answer leaves it: the fewest compactions, and the dearest on a large window. */
const fullWindow: Policy = {
  preset: 'pith',
  mode: 'auto',
  suggestPercent: 70,
  triggerPercent: 80,
  preparePercent: 0,
  reserveTokens: 16_384,
  reserveMaxPercent: 25,
  targetPercent: 50,
  growthPercent: 10,
  keepTokens: 20_000,
  keepMaxPercent: 25,
  minSpanMessages: 2,
  covers: 'span',
  summaryTokens: 8_000,
  indexTokens: 8_000,
  nameTokens: 8_000,
  nameMaxPercent: 3,
  allowanceMaxPercent: 10,
  summaryModel: 'main',
  cutCharacters: 2_000,
  rungs: ['mask', 'warm', 'cold', 'digest', 'squeeze'],
  breakerFailures: 3,
  breakerCooldownMs: 5 * 60_000,
}

/**
 * Keeps more names in view than the defaults of others do, nearly as much of the text that is edited next, and costs a
 * fifth to a quarter less: `npm run bench -- cost` has the measurements, and those of lower triggers.
 */
const pith: Policy = { ...fullWindow, triggerMaxTokens: 80_000, targetMaxTokens: 24_000, coldTriggerPercent: 50 }

/** The cheapest: what was said lately and a record of the rest. */
const economy: Policy = { ...pith, triggerMaxTokens: 50_000, targetMaxTokens: 16_000 }

/** What the presets of other systems have in common: one way to summarise, and nothing of the default policy's own. */
const ported: Policy = {
  ...fullWindow,
  reserveTokens: 0,
  growthPercent: 0,
  keepTokens: 0,
  minSpanMessages: 1,
  indexTokens: 0,
  nameTokens: 0,
  rungs: ['cold'],
}

/** The default policy, its two neighbours in price, and the four systems that it grew out of. */
export const PRESETS: Readonly<Record<PresetName, Policy>> = {
  pith,
  economy,
  balanced: pith,
  'full-window': fullWindow,
  keen: { ...ported, preset: 'keen', mode: 'off', triggerPercent: 0, covers: 'everything', cutCharacters: 0 },
  koda: { ...ported, preset: 'koda', keepMessages: 4, minSpanMessages: 2, summaryModel: 'standard' },
  agent: { ...ported, preset: 'agent', keepMessages: 5, minSpanMessages: 2 },
  kit: {
    ...ported,
    preset: 'kit',
    triggerPercent: 0,
    reserveTokens: 16_384,
    reserveMaxPercent: 100,
    keepTokens: 20_000,
    keepMaxPercent: 100,
    minSpanMessages: 2,
    indexTokens: 8_000,
  },
}

/** A whole policy: the preset's values under the given ones. */
export function policyOf(patch: PolicyPatch = {}): Policy {
  const given = parsePolicyPatch(patch)
  const preset = PRESETS[given.preset ?? 'pith']
  const policy: Policy = { ...withoutMost(preset, given), ...withoutUndefined(given), preset: preset.preset }
  for (const key of ['reserveTokens', 'keepTokens'] as const) {
    if (policy[key] > 0) continue
    // Only here: in `kit` zero or less means the default (T3). Elsewhere zero is zero.
    if (policy.preset === 'kit') policy[key] = preset[key]
    else if (policy[key] < 0) throw new PithError('bad-policy', `policy: ${key}: must not be negative`)
  }
  return policy
}

/** Who says themselves when to compact means just that: the numbers that bring it forward belong to the preset's own. */
function withoutMost(preset: Policy, given: PolicyPatch): Policy {
  if (given.triggerPercent === undefined && given.tokenLimit === undefined) return preset
  const { triggerMaxTokens: _, targetMaxTokens: __, coldTriggerPercent: ___, ...rest } = preset
  return rest
}

function withoutUndefined(patch: PolicyPatch): PolicyPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}
