import { estimatorOf } from '../../engine/measure/estimator-of.ts'
import { type PutBackRoom, putBackRoom } from '../../engine/plan/put-back-room.ts'
import { policyOf } from '../../model/presets.ts'
import { type Estimator, fixedTotal } from '../../tokens/estimate/estimator.ts'
import type { ServedSession } from './live-sessions.ts'
import { budgetFor, type Measure, statusFor } from './measure.ts'

/** What a message that is put back into a session has to fit into, and what its tokens are estimated with. */
export function roomFor(served: ServedSession, measure: Measure): { room: PutBackRoom; estimator: Estimator } {
  const { live } = served
  const { model, policy, fixed } = measure
  const estimator = estimatorOf(policyOf(policy), live.log, model.info)
  const { tokens } = statusFor(served, measure)
  const room = putBackRoom(live.view, tokens, fixedTotal(fixed, estimator), budgetFor(served, measure), estimator)
  return { room, estimator }
}
