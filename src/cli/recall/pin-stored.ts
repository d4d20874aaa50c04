import { type PinContext, pinMessage } from '../../agent/pin-message.ts'
import type { Seq } from '../../model/ids.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { Registry } from '../../models/registry.ts'
import { originIn } from '../../session/import/origin.ts'
import { ownModel } from '../../session/import/own-model.ts'
import { LiveSession } from '../../session/live-session.ts'
import { sessionPolicy } from '../../session/session-settings.ts'
import type { SessionId, Store } from '../../store/store.ts'

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
  const policy = sessionPolicy(live.log, configured)
  const { info: model } = ownModel(live.log, registry)
  const fixed = { system: originIn(live.log)?.system }
  return { live, pending: [], context: () => live.context({ policy, model, fixed }) }
}
