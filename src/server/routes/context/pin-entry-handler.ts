import { type PinResult, pinMessage } from '../../../agent/pin-message.ts'
import { pinEntryRoute } from '../../../contract/routes/context-routes.ts'
import { pin } from '../../../session/user-changes.ts'
import { HttpError } from '../../http/http-error.ts'
import { measureOf } from '../../sessions/measure.ts'
import { wireChange } from '../../sessions/wire-change.ts'
import { sessionHandler } from '../handler.ts'

/** Pins a message; one that is not in the context as it was said comes back first. */
export const pinEntryHandler = sessionHandler(pinEntryRoute, async ({ params, query }, served, services) => {
  const { store } = services
  const result: PinResult =
    query.back === 'true'
      ? await pinMessage(store, (await measureOf(services, served)).agent, params.seq)
      : { ok: true, entry: await pin(store, served.id, params.seq) }
  if (!result.ok) throw new HttpError(409, result.code, result.reason)
  return wireChange(services, served, result.entry)
})
