import { type Context, type ContextSettings, withSettings } from '../engine/context/context.ts'
import { openContext } from '../engine/context/open-context.ts'
import { NOTHING_MADE } from '../engine/context/view/made.ts'
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
