import { pinEntryRoute } from '../../../contract/context-routes.ts'
import { putBackExcess } from '../../../engine/plan/put-back-room.ts'
import { notBackText } from '../../../engine/report/put-back-text.ts'
import type { Entry } from '../../../model/entry.ts'
import type { Seq } from '../../../model/ids.ts'
import { loggedStep, putBack } from '../../../session/put-back.ts'
import { pin } from '../../../session/user-changes.ts'
import { messageTokens } from '../../../tokens/estimate/estimator.ts'
import { HttpError } from '../../http/http-error.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { driftFor, measureOf } from '../../sessions/measure.ts'
import { placeFinder } from '../../sessions/placed-entries.ts'
import { roomFor } from '../../sessions/room-for.ts'
import type { Services } from '../../sessions/services.ts'
import { wireChange } from '../../sessions/wire-change.ts'
import { sessionHandler } from '../handler.ts'

/** Pins a message; one that is not in the context as it was said comes back first. */
export const pinEntryHandler = sessionHandler(pinEntryRoute, async ({ params, query }, served, services) => {
  const isBack = query.back === 'true' && (await isAway(services, served, params.seq))
  const entry = isBack ? await back(services, served, params.seq) : await pin(services.store, served.id, params.seq)
  return wireChange(services, served, entry)
})

async function isAway({ store }: Services, { live }: ServedSession, seq: Seq): Promise<boolean> {
  const [entry] = (await store.entries(live.id, { seqs: [seq], only: 'messages' })).entries
  const place = entry === undefined ? 'none' : placeFinder(live)(entry).place
  if (place === 'redacted')
    throw new HttpError(409, 'redacted', `#${seq} is redacted: nothing is left of it to put back`)
  return place === 'compacted' || place === 'masked' || place === 'shortened'
}

async function back(services: Services, served: ServedSession, seq: Seq): Promise<Entry> {
  const { store } = services
  const { live, id } = served
  const measure = await measureOf(services, served)
  const { room, estimator } = roomFor(served, measure)
  const step = await loggedStep(store, id, seq)
  const tokens = step.messages.reduce((sum, message) => sum + messageTokens(message, estimator), 0)
  const excess = putBackExcess(tokens, room)
  if (excess !== undefined) throw new HttpError(409, 'does-not-fit', notBackText(seq, excess))
  const result = await putBack(store, id, step, {
    revision: live.session.revision,
    drift: driftFor(served, measure),
  })
  const entry = result.ok ? result.entries[0] : undefined
  if (entry === undefined)
    throw new HttpError(409, 'superseded', 'the session is being changed by others: look at it and try again')
  return entry
}
