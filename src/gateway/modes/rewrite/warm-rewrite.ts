import type { WarmModel } from '../../../model/policy/summary-model.ts'
import type { FaceRequest } from '../../faces/face.ts'
import { answerChunks } from '../answer-chunks.ts'
import type { Exchange } from '../mode.ts'
import { applyPlan } from './apply-plan.ts'
import type { RewritePlan } from './rewrite-plan.ts'

/**
 * The client's own model behind the request as it would be sent now, with one directive last: the provider has most of it
 * in its cache, and the client's own key pays.
 */
export function warmRewrite(exchange: Exchange, read: FaceRequest, plan: RewritePlan): WarmModel {
  const bodyWith = (directive: string) => {
    const records = [...plan.records, { before: read.messages.length, text: directive }]
    return applyPlan(read, { ...plan, records })
  }
  return {
    name: `${exchange.upstream.name}/${read.model}`,
    stream: (directive, signal) => answerChunks(exchange.ask(bodyWith(directive), { signal }), read),
  }
}
