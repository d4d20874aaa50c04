import type { Hono } from 'hono'
import * as contract from '../../../contract/compact.ts'
import type { WireEvent } from '../../../contract/events.ts'
import { wireEntry } from '../../../contract/wire.ts'
import { editSummary } from '../../../session/edit-summary.ts'
import { compactionsOf } from '../../../session/state.ts'
import type { Env } from '../../http/env.ts'
import { answerOf } from '../../http/http-error.ts'
import { requestKey } from '../../http/request-key.ts'
import { measureOf, statusFor } from '../../sessions/measure.ts'
import type { Services } from '../../sessions/services.ts'
import { cancelWork } from '../../work/cancel-signal.ts'
import { handle } from '../route-handler.ts'
import { compactionDetail, wireCompaction } from './compaction-detail.ts'
import { previewCompaction, type RunningCompaction, startCompaction } from './compactions.ts'

/** Compactions: run one, cancel it, look at those that were. */
export function compactRoutes(app: Hono<Env>, services: Services): void {
  const { store, sessions, streams, inFlight } = services

  handle(app, contract.compactSession, async ({ params: { id }, body = {}, headers, caller, wantsEvents, gone }) => {
    const served = await sessions.open(id, caller.owner)
    if (body.dry_run === true) return previewCompaction(services, served, body)
    const key = requestKey(caller, 'compact', headers)
    const start = () => startCompaction(services, served, body, key)
    if (!wantsEvents) return inFlight.once(key && `${id}\n${key}`, async () => (await start()).done)
    const running = await start()
    return streams.respond(caller.owner, gone, (signal) => compactionEvents(id, running, signal))
  })

  handle(app, contract.cancelCompaction, async ({ params: { id }, caller }) => {
    await sessions.open(id, caller.owner)
    return cancelWork(services, id, 'compaction')
  })

  handle(app, contract.listCompactions, async ({ params: { id }, caller }) => {
    const { live } = await sessions.open(id, caller.owner)
    return { compactions: compactionsOf(live.log).map(wireCompaction) }
  })

  handle(app, contract.getCompaction, async ({ params: { id, seq }, query, caller }) =>
    compactionDetail(services, await sessions.open(id, caller.owner), seq, query),
  )

  handle(app, contract.editSummary, async ({ params: { id, seq }, body: { summary }, caller }) => {
    await sessions.open(id, caller.owner)
    const entry = await editSummary(store, id, seq, summary)
    const served = await sessions.open(id, caller.owner)
    return { entry: wireEntry(entry), status: statusFor(served, await measureOf(services, served)) }
  })
}

/** The progress of a compaction, and last what came of it. */
async function* compactionEvents(
  session_id: string,
  { progress, done, id }: RunningCompaction,
  signal: AbortSignal,
): AsyncGenerator<WireEvent, void> {
  for await (const event of progress.events(signal)) yield event
  if (signal.aborted) return
  try {
    yield { event: 'compaction.ended', data: { session_id, automatic: false, ...(await done) } }
  } catch (error) {
    const { code, message, running } = answerOf(error)
    const event = code === 'busy' ? 'compaction.skipped' : 'compaction.failed'
    const reason = message.replace(/^Compaction failed: /, '')
    yield { event, data: { session_id, id, reason, code, running } }
  }
}
