import { preview } from '../../engine/compact/preview.ts'
import { estimatorOf } from '../../engine/measure/estimator-of.ts'
import type { Fixed } from '../../model/fixed.ts'
import type { Message } from '../../model/message.ts'
import type { PolicyPatch } from '../../model/policy.ts'
import { policyOf } from '../../model/presets.ts'
import { sessionSettings } from '../../session/session-settings.ts'
import { type Budget, budgetOf } from '../../tokens/budget.ts'
import { fixedTotal } from '../../tokens/estimate/estimate.ts'
import { type Status, status } from '../../tokens/status.ts'
import type { ServedSession } from './live-sessions.ts'
import { workspaceAgent } from './server-agent.ts'
import type { Services } from './services.ts'
import type { SessionModel } from './session-models.ts'

/** What everything about a session's context is counted with. */
export type Measure = {
  readonly model: SessionModel
  readonly policy: PolicyPatch
  readonly fixed: Fixed
  /** What the agent would send besides the view, and has not been counted yet. */
  readonly pending: readonly Message[]
}

/** The model, the policy and the fixed parts of a session. An agent of the caller's own has parts that we do not know. */
export async function measureOf(services: Services, served: ServedSession): Promise<Measure> {
  const { models, settings } = services
  const own = sessionSettings(served.live.log)
  const model = await models.of(own.model)
  const agent = await workspaceAgent(services, served, model.chat)
  return {
    model,
    policy: own.policy.preset === undefined ? { ...settings.policy, ...own.policy } : own.policy,
    fixed: agent?.fixed() ?? {},
    pending: agent?.pending ?? [],
  }
}

/** How full the context of a session is: the one number. */
export function statusFor({ live }: ServedSession, { model, policy, fixed, pending }: Measure): Status {
  const estimator = estimatorOf(policyOf(policy), live.log, model.info)
  return status({ view: live.view, model: model.info, fixed, pending, estimator })
}

/** The budget of a session's policy for its model. */
export function budgetFor({ live }: Pick<ServedSession, 'live'>, { model, policy, fixed }: Measure): Budget {
  const whole = policyOf(policy)
  const estimator = estimatorOf(whole, live.log, model.info)
  return budgetOf(whole, model.info?.contextWindow, model.info?.maxInput, fixedTotal(fixed, estimator))
}

/** True when an automatic compaction would run now. */
export function isDue(served: ServedSession, measure: Measure, { tokens }: Status): boolean {
  const { live } = served
  const { trigger } = budgetFor(served, measure)
  if (trigger === undefined || tokens < trigger) return false
  const { model, policy, fixed, pending } = measure
  return (
    preview({ log: live.log, view: live.view, policy, reason: 'threshold', model: model.info, fixed, pending }).kind ===
    'compact'
  )
}
