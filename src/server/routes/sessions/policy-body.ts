import { PithError } from '../../../model/errors.ts'
import { type PolicyPatch, parsePolicyConfig } from '../../../model/policy.ts'
import { policyOf } from '../../../model/presets.ts'

/** The policy that a request names: a preset, or settings as the configuration file writes them. */
export function policyFrom(value: string | Readonly<Record<string, unknown>>): PolicyPatch {
  const patch = parsePolicyConfig(typeof value === 'string' ? { preset: value } : value, 'policy')
  if (patch.prompt !== undefined && patch.prompt.length > MOST_PROMPT)
    throw new PithError('bad-policy', `policy: compact_prompt: has more than ${MOST_PROMPT} characters`)
  policyOf(patch)
  return patch
}

const MOST_PROMPT = 100_000

/** One policy over another. Another preset is a fresh start: what was set before belonged to the old one. */
export function policyOver(before: PolicyPatch, patch: PolicyPatch): PolicyPatch {
  return patch.preset === undefined ? { ...before, ...patch } : patch
}
