import type { PolicyPatch } from '../../../model/policy/policy.ts'
import { presetSchema } from '../../../model/policy/policy-schema.ts'
import { policyOf } from '../../../model/policy/presets.ts'
import { nearest } from '../../../model/problems/nearest.ts'
import { UsageError } from '../../process/usage-error.ts'

/** A policy under the name that the user gave it, and the model that it wants for summaries. */
export type NamedPolicy = { readonly name: string; readonly policy: PolicyPatch; readonly summaryModel: string }

const NAMES = [...presetSchema.options, 'none']

/** The policies of a list such as `pith,koda,pith@40,none`. The configured settings belong to the configured preset only. */
export function namedPolicies(list: string, configured: PolicyPatch): NamedPolicy[] {
  const names = [...new Set(list.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  if (names.length === 0) throw new UsageError('bad-argument', '--policy: name at least one policy, such as pith')
  return names.map((name) => {
    const policy = policyNamed(name, configured)
    return { name, policy, summaryModel: policyOf(policy).summaryModel }
  })
}

function policyNamed(name: string, configured: PolicyPatch): PolicyPatch {
  const [preset = '', trigger] = name.split('@', 2)
  if (preset === 'none') return { mode: 'off', suggestPercent: 0 }
  const known = presetSchema.safeParse(preset)
  if (!known.success) {
    const meant = nearest(preset, NAMES)
    const hint = meant === undefined ? `write one of ${NAMES.join(', ')}` : `did you mean ${meant}?`
    throw new UsageError('bad-policy', `--policy: there is no policy ${preset}, ${hint}`)
  }
  const own = (configured.preset ?? 'pith') === preset ? configured : { preset: known.data }
  if (trigger === undefined) return own
  const triggerPercent = Number(trigger)
  if (!(triggerPercent > 0 && triggerPercent <= 100))
    throw new UsageError(
      'bad-policy',
      `--policy ${name}: the trigger is a percentage of the window, such as ${preset}@40`,
    )
  return { ...own, mode: 'auto', triggerPercent }
}
