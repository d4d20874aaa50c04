import * as contract from '../../../contract/routes/compact-routes.ts'
import { compactionsOf } from '../../../session/session-state.ts'
import { editSummary } from '../../../session/user-changes.ts'
import { readOnly } from '../../access/check-request.ts'
import { requestKey } from '../../http/same-request.ts'
import { wireChange } from '../../sessions/measure.ts'
import { cancelWork } from '../../work/steer-signal.ts'
import { type Handler, sessionHandler } from '../handler.ts'
import { compactionDetail, lossOf } from './compaction-detail.ts'
import { compactionAnswer, compactionEvents, previewCompaction, startCompaction } from './compactions.ts'
import { wireCompaction } from './wire-compaction.ts'

const compactSession = sessionHandler(contract.compactSessionRoute, async (call, served, services) => {
  const { body = {}, caller } = call
  const { streams, inFlight } = services
  if (body.dry_run === true) return previewCompaction(services, served, body)
  if (caller.access === 'read') throw readOnly(caller.name)
  const key = requestKey(caller, 'compact', call.headers)
  const start = () => startCompaction(services, served, body, key)
  if (!call.wantsEvents)
    return inFlight.once(key && `${served.id}\n${key}`, async () => compactionAnswer(await start()))
  const running = await start()
  return streams.respond(caller, call.gone, (signal) => compactionEvents(served.id, running, signal))
})

const cancelCompaction = sessionHandler(contract.cancelCompactionRoute, (_, { id }, services) =>
  cancelWork(services, id, 'compaction'),
)

const listCompactions = sessionHandler(contract.listCompactionsRoute, async (_, { live }) => ({
  compactions: compactionsOf(live.log).map(wireCompaction),
}))

const getCompaction = sessionHandler(contract.getCompactionRoute, ({ params: { seq }, query }, served, services) =>
  compactionDetail(services, served, seq, query),
)

const replaceSummary = sessionHandler(contract.editSummaryRoute, async ({ params, body }, served, services) =>
  wireChange(services, served, await editSummary(services.store, served.id, params.seq, body.summary)),
)

const getLoss = sessionHandler(contract.getLossRoute, ({ params: { seq }, query: { limit } }, served, services) =>
  lossOf(services, served, seq, limit),
)

/** Compactions: run and cancel one, list them, read one and what it lost, edit its summary. */
export const compactHandlers: readonly Handler[] = [
  compactSession,
  cancelCompaction,
  listCompactions,
  getCompaction,
  getLoss,
  replaceSummary,
]
