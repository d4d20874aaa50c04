import { type Context, type ContextSettings, withSettings } from '../engine/context/context.ts'
import { openContext } from '../engine/context/open-context.ts'
import { NOTHING_MADE } from '../engine/context/view/made.ts'
import type { PolicyPatch } from '../model/policy/policy.ts'
import type { ReasoningChoice } from '../model/policy/reasoning-level.ts'
import type { Entry } from '../model/types.ts'
import type { OpenSession } from './open-session.ts'

/** The Context of an open session with these settings. */
export function sessionContext(open: OpenSession, settings: ContextSettings): Context {
  const { log, view, made = NOTHING_MADE, context } = open
  return context === undefined ? openContext(log, settings, { view, made }) : withSettings(context, settings)
}

/** The settings among the fields of an input. */
export function settingsIn({ policy, model, fixed, estimator }: ContextSettings): ContextSettings {
  return { policy, model, fixed, estimator }
}

/** The user's choices for one session: its model, how much models think, and policy settings that override the configuration. */
export type SessionSettings = {
  readonly model?: string
  readonly policy: PolicyPatch
  /** By the model's name. */
  readonly reasoning: ReadonlyMap<string, ReasoningChoice>
}

/** The settings of a session. The last value of each counts. */
export function sessionSettings(log: readonly Entry[]): SessionSettings {
  let settings: SessionSettings = { policy: {}, reasoning: new Map() }
  for (const entry of log) {
    if (entry.type !== 'settings') continue
    const { model, policy, reasoning } = entry
    settings = {
      model: model ?? settings.model,
      reasoning:
        reasoning === undefined
          ? settings.reasoning
          : new Map(settings.reasoning).set(reasoning.model, reasoning.level),
      // Another preset is a fresh start: earlier settings belonged to the old one.
      policy: policy?.preset === undefined ? { ...settings.policy, ...policy } : policy,
    }
  }
  return settings
}

/** The policy of a session: its own settings over those of the configuration. A preset of its own is a fresh start. */
export function sessionPolicy(log: readonly Entry[], configured: PolicyPatch): PolicyPatch {
  const own = sessionSettings(log).policy
  return own.preset === undefined ? { ...configured, ...own } : own
}
