import { setUserValue } from '../../config/set-user-value.ts'
import { parsePolicyConfig } from '../../model/policy.ts'
import { policyOf } from '../../model/presets.ts'
import type { Done, Scope } from '../port-data.ts'
import type { LocalSession } from './open-session.ts'
import type { LocalSetup } from './setup.ts'

/** Sets a value of the policy, for the session or for good. What would be wrong is refused, and nothing is changed. */
export async function setPolicyValue(
  setup: LocalSetup,
  { agent }: LocalSession,
  change: { readonly key: string; readonly value: string; readonly scope: Scope },
): Promise<Done> {
  const { key, value, scope } = change
  const patch = parsePolicyConfig({ [key]: parsedValue(value) }, '/policy')
  policyOf({ ...agent.policyPatch, ...patch })
  if (scope === 'user') setUserValue(`policy.${key}`, value, setup.env)
  await agent.live.append([{ type: 'settings', policy: patch }])
  return { ok: true, text: `${key} is ${value} ${scope === 'user' ? 'from now on' : 'in this session'}.` }
}

function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.includes(',') ? text.split(',').map((word) => word.trim()) : text
  }
}
