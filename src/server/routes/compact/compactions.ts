import { randomUUID } from 'node:crypto'
import type { Agent } from '../../../agent/agent.ts'
import {
  agentInput,
  type CompactionRequest,
  compactNow,
  plannedCompaction,
} from '../../../agent/compaction/compact-now.ts'
import type { CompactNowResult } from '../../../agent/events.ts'
import type { WireCompactBody } from '../../../contract/routes/compact-routes.ts'
import type { WireCompactResult, WirePreview } from '../../../contract/shapes/compaction-shapes.ts'
import { stepToWire } from '../../../contract/shapes/compaction-steps.ts'
import type { WireEvent } from '../../../contract/shapes/wire-events.ts'
import { openModel } from '../../../llm/open-model.ts'
import { asSummaryModel } from '../../../llm/summary-models-for.ts'
import type { SummaryModel } from '../../../model/policy/summary-model.ts'
import { settingsIn } from '../../../session/session-context.ts'
import { keyedId } from '../../../store/rows/keyed-id.ts'
import { HttpError, shownError } from '../../http/http-error.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { measureOf } from '../../sessions/measure.ts'
import type { Services } from '../../sessions/services.ts'
import { EventQueue } from '../../stream/event-queue.ts'
import { workHolder } from '../../work/work-holder.ts'
import { policyFrom, policyOver } from '../sessions/policy-body.ts'
import { earlierCompaction } from './earlier-compaction.ts'
import { type CompactionFacts, refusalOf, wirePreview, wireResult } from './wire-compaction.ts'

/** A compaction that runs: its progress, and what came of it. */
export type RunningCompaction = {
  readonly id: string
  readonly progress: EventQueue<WireEvent>
  readonly result: Promise<CompactionFacts>
}

/**
 * Starts a compaction as a request asks for it. It runs on when the caller goes away. One that was done under the same
 * key before is told again, not done again.
 */
export async function startCompaction(
  services: Services,
  served: ServedSession,
  body: WireCompactBody,
  key?: string,
): Promise<RunningCompaction> {
  const { agent, model } = await measureOf(services, served)
  const request = requestOf(services, agent, body)
  if (model.missing !== undefined && needsModel(agent, request)) throw new HttpError(409, 'no-model', model.missing)
  const id = key === undefined ? randomUUID() : keyedId(`${served.id}\n${key}`)
  const progress = new EventQueue<WireEvent>()
  const earlier = await earlierCompaction(services, agent, { key, reason: request.reason, focus: request.focus })
  const result = earlier === undefined ? run() : Promise.resolve(earlier)
  result.catch(() => undefined).finally(() => progress.end())
  return { id, progress, result }

  async function run(): Promise<CompactNowResult> {
    const holder = workHolder({ kind: 'compaction', id })
    const result = await services.workList.start(served.id, { kind: 'compaction', id }, (signal) =>
      compactNow(agent, {
        ...request,
        signal,
        holder,
        key,
        leaseMs: services.server.lease_ms,
        tell: (event) => {
          if (event.type === 'compaction') progress.push(stepToWire(served.id, event.event, false))
        },
      }),
    )
    count(services, result)
    return result
  }
}

/** What came of a compaction, as one answer. */
export async function compactionAnswer({ id, result }: RunningCompaction): Promise<WireCompactResult> {
  const ended = await result
  const refusal = refusalOf(ended)
  if (refusal !== undefined) throw refusal.error
  return wireResult(id, ended)
}

/** The progress of a compaction, and last its result. */
export async function* compactionEvents(
  session_id: string,
  { progress, result, id }: RunningCompaction,
  signal: AbortSignal,
): AsyncGenerator<WireEvent, void> {
  for await (const event of progress.events(signal)) yield event
  if (signal.aborted) return
  try {
    const ended = await result
    const refusal = refusalOf(ended)
    if (refusal === undefined) {
      yield { event: 'compaction.ended', data: { session_id, automatic: false, ...wireResult(id, ended) } }
    } else yield failure(refusal.error, refusal.reason)
  } catch (error) {
    const answer = shownError(error)
    yield failure(answer, answer.message)
  }

  function failure({ code, running }: HttpError, reason: string): WireEvent {
    const event = code === 'busy' ? 'compaction.skipped' : 'compaction.failed'
    return { event, data: { session_id, id, reason, code, running } }
  }
}

/** What a compaction as a request asks for it would do. */
export async function previewCompaction(
  services: Services,
  served: ServedSession,
  body: WireCompactBody,
): Promise<WirePreview> {
  const { agent } = await measureOf(services, served)
  return wirePreview(plannedCompaction(agent, requestOf(services, agent, body)))
}

/** True when nothing but the session's own model could write the summary. */
function needsModel(agent: Agent, request: CompactionRequest): boolean {
  const input = agentInput(agent, request)
  const { policy } = agent.live.context(settingsIn(input))
  return !policy.rungs.includes('digest') && input.summaryModels?.length === 0
}

function requestOf(services: Services, { policyPatch }: Agent, body: WireCompactBody): CompactionRequest {
  const asked = body.policy === undefined ? undefined : policyOver(policyPatch, policyFrom(body.policy))
  const kept = body.preserve_count
  return {
    reason: body.when === 'due' ? 'threshold' : 'manual',
    focus: body.focus,
    policy: kept === undefined ? asked : { ...(asked ?? policyPatch), keepMessages: kept },
    summaryModels: body.model === undefined ? undefined : [summaryModel(services, body.model)],
  }
}

function summaryModel({ models }: Services, name: string): SummaryModel {
  const opened = openModel(name, models.deps)
  if ('unusable' in opened) throw new HttpError(400, opened.unusable, opened.text)
  return asSummaryModel(opened)
}

function count({ metrics }: Services, result: CompactNowResult): void {
  metrics.add('pith_compactions_total', { outcome: result.outcome })
  const { tokensBefore, tokensAfter } = result
  if (result.compacted) metrics.add('pith_tokens_saved_total', {}, Math.max(0, tokensBefore - tokensAfter))
}
