import type { Hono } from 'hono'
import * as contract from '../../../contract/events.ts'
import type { Env } from '../../http/env.ts'
import type { Services } from '../../sessions/services.ts'
import { handle } from '../route-handler.ts'
import { allEvents, sessionStream } from './session-stream.ts'

/** Event streams: of one session, from any seq on, and of all sessions of a token. */
export function eventRoutes(app: Hono<Env>, services: Services): void {
  const { store, sessions, streams } = services

  handle(app, contract.sessionEvents, async ({ params: { id }, headers, query, caller, gone }) => {
    const { live } = await sessions.open(id, caller.owner)
    const last = headers['last-event-id']
    const asked = last !== undefined && last !== '' ? Number(last) : (query.after ?? 0)
    const after = asked === 'now' ? live.session.lastSeq : asked
    return streams.respond(caller.owner, gone, (signal) => sessionStream(store, id, after, signal))
  })

  handle(app, contract.allEvents, async ({ caller, gone }) =>
    streams.respond(caller.owner, gone, (signal) => allEvents(store, caller.owner, signal)),
  )
}
