import { randomUUID } from 'node:crypto'
import { postTurnRoute } from '../../../contract/message-routes.ts'
import type { UserMessage } from '../../../model/message.ts'
import { parseMessage } from '../../../model/message-schema.ts'
import { HttpError } from '../../http/http-error.ts'
import { requestKey } from '../../http/request-key.ts'
import { sessionHandler } from '../handler.ts'
import { startTurn, wireEnd } from './server-turn.ts'
import { turnEvents } from './turn-events.ts'

/** Sends a message to the agent of the server; the reply comes as events or as one answer. */
export const postTurnHandler = sessionHandler(postTurnRoute, async (call, served, services) => {
  const { body, headers, caller, wantsEvents, gone } = call
  const left = new AbortController()
  const turn = await startTurn(services, served, {
    id: randomUUID(),
    said: messageIn(body),
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

function messageIn(
  body: { readonly text?: string | undefined; readonly message?: unknown } | undefined,
): UserMessage | undefined {
  if (body?.text !== undefined && body.message !== undefined)
    throw new HttpError(400, 'bad-request', 'body: has text and message: send one of them')
  if (body?.text !== undefined) return { role: 'user', content: body.text }
  if (body?.message === undefined) return undefined
  const message = parseMessage(body.message, 'body.message')
  if (message.role !== 'user') throw new HttpError(400, 'bad-request', 'body.message: must be of the user')
  return message
}
