import { type PinContext, pinMessage } from '../../agent/pin-message.ts'
import { estimatorOf } from '../../engine/context/measure/estimator-of.ts'
import type { Seq } from '../../model/ids.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'
import { policyOf } from '../../model/policy/presets.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { Registry } from '../../models/registry.ts'
import { originIn } from '../../session/import/origin.ts'
import { ownModel } from '../../session/import/own-model.ts'
import { LiveSession } from '../../session/live-session.ts'
import { sessionPolicy } from '../../session/session-settings.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { budgetOf } from '../../tokens/budget.ts'
import { fixedTotal } from '../../tokens/estimate/estimator.ts'
import { status } from '../../tokens/status.ts'

/** The configured policy, and the models that a session may have been made with. */
export type PinDeps = { readonly policy: PolicyPatch; readonly registry: Registry }

/** Pins a message of a stored session, as its agent would. True when it was not in the view as it was said, and came back. */
export async function pinStored(store: Store, id: SessionId, seq: Seq, known: PinDeps): Promise<boolean> {
  const result = await pinMessage(store, contextOf(await LiveSession.open(store, id), known), seq)
  if (!result.ok) throw new PithError('not-allowed', result.reason)
  return result.entry.type === 'pin' && result.entry.back !== undefined
}

/** The context as far as it is known here: the agent's tools are not. */
function contextOf(live: LiveSession, { policy: configured, registry }: PinDeps): PinContext {
  const policy = policyOf(sessionPolicy(live.log, configured))
  const { info } = ownModel(live.log, registry)
  const fixed = { system: originIn(live.log)?.system }
  const estimator = estimatorOf(policy, live.log, info)
  return {
    live,
    policy,
    info,
    pending: [],
    fixed: () => fixed,
    status: () => status({ view: live.view, model: info, fixed, estimator }),
    budget: () => budgetOf(policy, info.contextWindow, info.maxInput, fixedTotal(fixed, estimator)),
  }
}
