import type { Entry } from '../model/entry.ts'
import type { PolicyPatch } from '../model/policy.ts'

/** The user's choices for one session: its model, and policy settings that override the configuration. */
export type SessionSettings = { readonly model?: string; readonly policy: PolicyPatch }

/** The settings of a session. The last value of each counts. */
export function sessionSettings(log: readonly Entry[]): SessionSettings {
  let settings: SessionSettings = { policy: {} }
  for (const entry of log) {
    if (entry.type !== 'settings') continue
    const { model, policy } = entry
    settings = {
      model: model ?? settings.model,
      // Another preset is a fresh start: earlier settings belonged to the old one.
      policy: policy?.preset === undefined ? { ...settings.policy, ...policy } : policy,
    }
  }
  return settings
}
