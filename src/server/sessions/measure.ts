import type { Agent } from '../../agent/agent.ts'
import { automaticCompaction } from '../../agent/compaction/planned-compaction.ts'
import { isCacheCold } from '../../engine/measure/cache-cold.ts'
import { estimatorOf } from '../../engine/measure/estimator-of.ts'
import type { Fixed } from '../../model/fixed.ts'
import type { Message } from '../../model/message.ts'
import type { PolicyPatch } from '../../model/policy.ts'
import { policyOf } from '../../model/presets.ts'
import { sessionSettings } from '../../session/session-settings.ts'
import { type Budget, budgetOf } from '../../tokens/budget.ts'
import { fixedTotal } from '../../tokens/estimate/estimator.ts'
import { type Status, status } from '../../tokens/status.ts'
import type { ServedSession } from './live-sessions.ts'
import { sessionAgent } from './server-agent.ts'
import type { Services } from './services.ts'
import type { SessionModel } from './session-models.ts'

/** The inputs of every count of a session's context. */
export type Measure = {
  readonly agent: Agent
  readonly model: SessionModel
  readonly policy: PolicyPatch
  readonly fixed: Fixed
  /** Messages that the agent would send besides the view and that no count includes yet. */
  readonly pending: readonly Message[]
}

/** The model, the policy and the fixed parts of a session. */
export async function measureOf(services: Services, served: ServedSession): Promise<Measure> {
  const model = await services.models.of(
    sessionSettings(served.live.log).model ?? services.agentSessions?.modelOf(served.id),
  )
  const agent = await sessionAgent(services, served, model.chat)
  const { info, policyPatch: policy, pending } = agent
  return { agent, model: { ...model, info }, policy, fixed: agent.fixed(), pending }
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
export function isDue({ agent }: Measure, { tokens }: Status): boolean {
  const { live, model, deps } = agent
  const isCold = isCacheCold(live.log, deps.clock(), model.cacheLifetimeMs)
  // Most messages come in far below the trigger: a look at the whole view is not worth it there.
  if (!isCold && tokens < (agent.budget().trigger ?? 0)) return false
  return automaticCompaction(agent).kind === 'compact'
}
