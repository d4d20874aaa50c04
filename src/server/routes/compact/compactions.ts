import { randomUUID } from 'node:crypto'
import type { z } from '@hono/zod-openapi'
import type { compactBody } from '../../../contract/compact-routes.ts'
import type { WireCompactResult, WirePreview } from '../../../contract/shapes.ts'
import type { WireEvent } from '../../../contract/wire-events.ts'
import { preview } from '../../../engine/compact/preview.ts'
import { busyReason, unchangedText } from '../../../engine/report/outcome.ts'
import { openModel } from '../../../llm/open-model.ts'
import { summaryModelOf, summaryModelsFor } from '../../../llm/summary-models-for.ts'
import type { PolicyPatch } from '../../../model/policy.ts'
import { policyOf } from '../../../model/presets.ts'
import type { SummaryModel } from '../../../model/summary-model.ts'
import type { SessionCompactResult } from '../../../session/compact-session.ts'
import { keyedId } from '../../../store/keyed-id.ts'
import { HttpError } from '../../http/http-error.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { type Measure, measureOf } from '../../sessions/measure.ts'
import type { Services } from '../../sessions/services.ts'
import { EventQueue } from '../../stream/event-queue.ts'
import { holderOf, runningOf } from '../../work/holder.ts'
import { policyFrom, policyOver } from '../sessions/policy-body.ts'
import { compactionEvent } from './compaction-event.ts'
import { afterCompaction, beforeCompaction } from './compaction-hooks.ts'
import { earlierCompaction } from './earlier-compaction.ts'
import { wirePreview, wireResult } from './wire-compaction.ts'

type CompactBody = z.infer<typeof compactBody>

/** A compaction that runs: its progress, and what came of it. */
export type RunningCompaction = {
  readonly id: string
  readonly progress: EventQueue<WireEvent>
  readonly done: Promise<WireCompactResult>
}

/**
 * Starts a compaction as a request asks for it. It runs on when the caller goes away. One that was done under the same
 * key before is told again, not done again.
 */
export async function startCompaction(
  services: Services,
  served: ServedSession,
  body: CompactBody,
  key?: string,
): Promise<RunningCompaction> {
  const { input } = await inputOf(services, served, body)
  const id = key === undefined ? randomUUID() : keyedId(`${served.id}\n${key}`)
  const progress = new EventQueue<WireEvent>()
  const earlier = await earlierCompaction(services, served, { id, key, reason: input.reason })
  if (earlier === undefined) return run(services, served, { id, input, progress, key })
  progress.end()
  return { id, progress, done: Promise.resolve(earlier) }
}

type Asked = {
  readonly id: string
  readonly input: Awaited<ReturnType<typeof inputOf>>['input']
  readonly progress: EventQueue<WireEvent>
  readonly key: string | undefined
}

function run(services: Services, served: ServedSession, { id, input, progress, key }: Asked): RunningCompaction {
  const { works, server } = services
  const done = works.start(served.id, { kind: 'compaction', id }, async (signal) => {
    const { reason, focus: asked } = input
    const about = { session: served.id, reason, ...(asked === undefined ? {} : { focus: asked }) }
    const focus = await beforeCompaction(services, about, signal)
    const result = await served.live.compact({
      ...input,
      ...(focus === '' ? {} : { focus }),
      holder: holderOf({ kind: 'compaction', id }),
      key,
      leaseMs: server.lease_ms,
      signal,
      onEvent: (event) => progress.push(compactionEvent(served.id, event, false)),
    })
    if (result.outcome !== 'busy') await afterCompaction(services, served.id, result, signal)
    return ended(services, served, id, result)
  })
  done.catch(() => undefined).finally(() => progress.end())
  return { id, progress, done }
}

/** What a compaction as a request asks for it would do. */
export async function previewCompaction(
  services: Services,
  served: ServedSession,
  body: CompactBody,
): Promise<WirePreview> {
  const { input } = await inputOf(services, served, body)
  return wirePreview(preview({ ...input, log: served.live.log, view: served.live.view }))
}

async function inputOf(services: Services, served: ServedSession, body: CompactBody) {
  const measure = await measureOf(services, served)
  const asked = body.policy === undefined ? {} : policyFrom(body.policy)
  const policy: PolicyPatch = {
    ...policyOver(measure.policy, asked),
    ...(body.preserve_count === undefined ? {} : { keepMessages: body.preserve_count }),
  }
  const focus = body.focus?.trim()
  const input = {
    policy,
    reason: body.when === 'due' ? ('threshold' as const) : ('manual' as const),
    model: measure.model.info,
    fixed: served.agent?.fixed('compacted') ?? measure.fixed,
    pending: measure.pending,
    summaryModels: summariser(services, measure, policy, body.model),
    ...(focus === undefined || focus === '' ? {} : { focus }),
  }
  return { input }
}

function summariser(
  { models }: Services,
  { model }: Measure,
  policy: PolicyPatch,
  asked: string | undefined,
): readonly SummaryModel[] {
  if (asked !== undefined) {
    const opened = openModel(asked, models.deps)
    if ('unusable' in opened) throw new HttpError(400, opened.unusable, opened.text)
    return [summaryModelOf(opened)]
  }
  if (model.missing !== undefined) return []
  return summaryModelsFor(policyOf(policy).summaryModel, model.chat, models.deps).models
}

function ended(
  { metrics }: Services,
  served: ServedSession,
  id: string,
  result: SessionCompactResult,
): WireCompactResult {
  const { outcome, reason } = result
  metrics.add('pith_compactions_total', { outcome })
  if (outcome === 'busy') {
    const running = runningOf(result.holder)
    throw new HttpError(409, 'busy', unchangedText({ outcome, reason: busyReason(`a ${running.kind}`) }), running)
  }
  if (outcome === 'failed') throw new HttpError(502, 'model-failed', unchangedText({ outcome, reason }))
  if (result.compacted) {
    metrics.add('pith_tokens_saved_total', {}, Math.max(0, result.tokensBefore - result.tokensAfter))
    // What the provider has cached of this session is not what it will be sent next.
    if (served.agent !== undefined) {
      served.agent.lastCallAt = undefined
      served.agent.lastCallMessages = undefined
    }
  }
  return wireResult(id, result)
}
