import { type PolicyPatch, parsePolicyConfig } from '../../../model/policy/policy.ts'
import { checkPolicy } from '../../../model/policy/presets.ts'
import { PithError } from '../../../model/problems/errors.ts'

/** The policy of a request body: a preset, or settings as in the configuration file. */
export function policyFrom(value: string | Readonly<Record<string, unknown>>): PolicyPatch {
  const patch = parsePolicyConfig(typeof value === 'string' ? { preset: value } : value, 'policy')
  if (patch.prompt !== undefined && patch.prompt.length > MOST_PROMPT)
    throw new PithError('bad-policy', `policy: compact_prompt: has more than ${MOST_PROMPT} characters`)
  checkPolicy(patch)
  return patch
}

const MOST_PROMPT = 100_000

/** Merges two policies. A patch with a preset replaces the old one: earlier settings belonged to the old preset. */
export function policyOver(before: PolicyPatch, patch: PolicyPatch): PolicyPatch {
  return patch.preset === undefined ? { ...before, ...patch } : patch
}
