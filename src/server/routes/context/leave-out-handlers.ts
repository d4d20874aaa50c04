import * as contract from '../../../contract/routes/leave-out-routes.ts'
import type { WireLeaveOutPlan } from '../../../contract/shapes/shapes.ts'
import { isCacheCold } from '../../../engine/context/open-context.ts'
import { leaveOutChoices } from '../../../engine/plan/leave-out-choices.ts'
import { withoutFolder } from '../../../engine/report/item-names.ts'
import { leaveOutEffect } from '../../../engine/report/leave-out-text.ts'
import { type LeaveOutResult, leaveOut, previewLeaveOut, putBackLeftOut } from '../../../session/leave-out.ts'
import { HttpError } from '../../http/http-error.ts'
import { measureOf, wireChange } from '../../sessions/measure.ts'
import { type Handler, sessionHandler } from '../handler.ts'

const listChoices = sessionHandler(contract.listLeaveOutChoicesRoute, async ({ query }, served, services) => {
  const { context } = await measureOf(services, served)
  const { workspace } = served.live.session
  const choices = leaveOutChoices(context, { requestedBy: 'user' }, query.limit)
  return { choices: choices.map((choice) => ({ ...choice, name: withoutFolder(choice.name, workspace) })) }
})

/** Leaves a part out, or says what it would do. */
const leaveOutHandler = sessionHandler(contract.leaveOutRoute, async ({ body }, served, services) => {
  const { what, when, dry_run } = body
  const { agent } = await measureOf(services, served)
  const cacheCold = isCacheCold(agent.live.log, agent.deps.clock(), agent.model.cacheLifetimeMs)
  if (dry_run === true) {
    const preview = await previewLeaveOut(services.store, agent, what, { cacheCold })
    return preview.ok ? { dry_run, ...wirePlan(preview.plan) } : refuse(preview, 'nothing-to-leave-out')
  }
  const result = await leaveOut(services.store, agent, what, { when, cacheCold })
  if (!result.ok) return refuse(result, 'nothing-to-leave-out')
  return { ...wirePlan(result.plan), ...(await wireChange(services, served, result.entry)) }
})

/** Puts a part back. */
const putBackHandler = sessionHandler(contract.putBackRoute, async ({ body }, served, services) => {
  const { agent } = await measureOf(services, served)
  const result = await putBackLeftOut(services.store, agent, body.seq)
  return result.ok ? wireChange(services, served, result.entry) : refuse(result, 'nothing-to-put-back')
})

function refuse({ code, reason }: Extract<LeaveOutResult, { ok: false }>, nothing: string): never {
  throw new HttpError(409, code === 'nothing' ? nothing : code, reason)
}

function wirePlan(plan: Extract<LeaveOutResult, { ok: true }>['plan']): WireLeaveOutPlan {
  const { draft, parts, kept, cost } = plan
  return {
    parts,
    tokens_before: draft.tokensBefore,
    tokens_after: draft.tokensAfter,
    breaks_from: cost.breaksFrom,
    is_cold: cost.isCold,
    cost_once: cost.once,
    saved_per_request: cost.savedPerRequest,
    kept: kept.map(({ seqs, why }) => ({ seqs: [...seqs], why })),
    text: leaveOutEffect(plan),
  }
}

/** Leaving parts of the context out, and putting them back. */
export const leaveOutHandlers: readonly Handler[] = [listChoices, leaveOutHandler, putBackHandler]
