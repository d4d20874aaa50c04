import * as contract from '../../../contract/routes/event-routes.ts'
import { type Handler, handler, sessionHandler } from '../handler.ts'
import { allEvents, sessionStream } from './all-events.ts'

const sessionEvents = sessionHandler(contract.sessionEventsRoute, async (call, { id, live }, { store, streams }) => {
  const last = call.headers['last-event-id']
  const asked = last !== undefined && last !== '' ? Number(last) : (call.query.after ?? 'now')
  const after = asked === 'now' ? live.session.lastSeq : asked
  return streams.respond(call.caller, call.gone, (signal) => sessionStream(store, id, after, signal))
})

const eventsOfAll = handler(contract.allEventsRoute, async ({ caller, gone, headers }, { store, streams }) => {
  const last = headers['last-event-id']
  const since = last === undefined || last === '' ? undefined : Number(last)
  return streams.respond(caller, gone, (signal) => allEvents(store, caller.owner, signal, since))
})

/** Event streams: of one session from any seq on, and of all sessions of an owner. */
export const eventHandlers: readonly Handler[] = [sessionEvents, eventsOfAll]
