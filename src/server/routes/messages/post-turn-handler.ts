import { randomUUID } from 'node:crypto'
import { postTurnRoute } from '../../../contract/routes/message-routes.ts'
import { requestKey } from '../../http/request-key.ts'
import { sessionHandler } from '../handler.ts'
import { saidMessage } from './said-message.ts'
import { startTurn, wireEnd } from './server-turn.ts'
import { turnEvents } from './turn-events.ts'

/** Sends a message to the agent of the server; the reply comes as events or as one answer. */
export const postTurnHandler = sessionHandler(postTurnRoute, async (call, served, services) => {
  const { body, headers, caller, wantsEvents, gone } = call
  const left = new AbortController()
  const turn = await startTurn(services, served, {
    id: randomUUID(),
    said: saidMessage(body),
    key: requestKey(caller, 'turn', headers),
    reader: wantsEvents && body?.asks === true ? left.signal : undefined,
  })
  if (wantsEvents)
    return services.streams.respond(caller, gone, (signal) => {
      signal.addEventListener('abort', () => left.abort())
      return turnEvents(served.id, turn, signal)
    })
  const { end, seq } = await turn.done
  return { id: turn.id, seq, end: wireEnd(end) }
})
