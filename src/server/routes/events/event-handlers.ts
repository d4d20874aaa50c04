import * as contract from '../../../contract/event-routes.ts'
import { type Handler, handler, sessionHandler } from '../handler.ts'
import { allEvents, sessionStream } from './session-stream.ts'

const sessionEvents = sessionHandler(contract.sessionEventsRoute, async (call, { id, live }, { store, streams }) => {
  const last = call.headers['last-event-id']
  const asked = last !== undefined && last !== '' ? Number(last) : (call.query.after ?? 0)
  const after = asked === 'now' ? live.session.lastSeq : asked
  return streams.respond(call.caller.owner, call.gone, (signal) => sessionStream(store, id, after, signal))
})

const eventsOfAll = handler(contract.allEventsRoute, async ({ caller: { owner }, gone }, { store, streams }) =>
  streams.respond(owner, gone, (signal) => allEvents(store, owner, signal)),
)

/** Event streams: of one session from any seq on, and of all sessions of an owner. */
export const eventHandlers: readonly Handler[] = [sessionEvents, eventsOfAll]
