import { randomUUID } from 'node:crypto'
import type { z } from '@hono/zod-openapi'
import * as contract from '../../../contract/routes/message-routes.ts'
import { fromWire } from '../../../contract/shapes/wire.ts'
import { callsOf, type EntryDraft, type UserMessage, type View } from '../../../model/types.ts'
import { HttpError } from '../../http/http-error.ts'
import { fromShape } from '../../http/message-shapes.ts'
import { messageInBody } from '../../http/request-body.ts'
import { checkSame, requestKey } from '../../http/same-request.ts'
import { isDue, measureOf, statusFor } from '../../sessions/measure.ts'
import { placedPage } from '../../sessions/placed-entries.ts'
import { answerQuestion, cancelWork, steerTurn } from '../../work/turn-input.ts'
import { type Handler, sessionHandler } from '../handler.ts'
import { startTurn, turnEvents, wireEnd } from './server-turn.ts'

/** Sends a message to the agent of the server; the reply comes as events or as one answer. */
const postTurnHandler = sessionHandler(contract.postTurnRoute, async (call, served, services) => {
  const { body, headers, caller, wantsEvents, gone } = call
  const left = new AbortController()
  const turn = await startTurn(services, served, {
    id: randomUUID(),
    message: userMessageIn(body),
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

const listEntries = sessionHandler(contract.listEntriesRoute, ({ query }, served, services) =>
  placedPage(services, served, query),
)

const appendMessages = sessionHandler(
  contract.appendMessagesRoute,
  async ({ body, headers, caller }, served, services) => {
    const { metrics, sessions } = services
    const drafts = draftsIn(body, served.live.view)
    const key = requestKey(caller, 'messages', headers)
    const entries = await served.live.append(drafts, { key }).catch((error: unknown) => {
      sessions.forget(served.id)
      throw error
    })
    if (key !== undefined) checkSame(entries, drafts)
    metrics.add('pith_messages_total', {}, drafts.length)
    const measure = await measureOf(services, served)
    const status = statusFor(measure)
    return { seqs: entries.map(({ seq }) => seq), status, compaction_due: isDue(measure, status) }
  },
  'held',
)

const answerTurn = sessionHandler(
  contract.answerTurnRoute,
  async ({ body: { question, ...answer } }, { id }, services) => ({
    answered: await answerQuestion(services, id, question, answer),
  }),
)

const steer = sessionHandler(contract.steerTurnRoute, async ({ body }, { id }, services) => {
  const message = userMessageIn(body)
  if (message === undefined)
    throw new HttpError(400, 'bad-request', 'the body has no text and no message: send one of them')
  return steerTurn(services, id, message, body.turn)
})

const cancelTurn = sessionHandler(contract.cancelTurnRoute, (_, { id }, services) => cancelWork(services, id, 'turn'))

/** Messages: read the log by page, append messages of the caller's own agent, talk to the server's agent. */
export const messageHandlers: readonly Handler[] = [
  listEntries,
  appendMessages,
  postTurnHandler,
  answerTurn,
  steer,
  cancelTurn,
]

/** The messages to append: in our own shape, each with its usage, or a list in the shape of an SDK. */
function draftsIn(
  { messages, shape, items, usage, model }: z.output<typeof contract.appendBody>,
  view: View,
): (EntryDraft & { readonly type: 'message' })[] {
  if ((messages === undefined) === (items === undefined))
    throw new HttpError(400, 'bad-request', 'the body needs either messages or items')
  if (messages !== undefined && (usage ?? model) !== undefined)
    throw new HttpError(400, 'bad-request', 'usage and model in the body are for items: give each message its own')
  if (messages !== undefined)
    return messages.map((one, i) => ({
      type: 'message',
      message: messageInBody(one.message, ['messages', i, 'message']),
      usage: fromWire(one.usage),
      model: one.model,
    }))
  const read = fromShape(shape, items ?? [], (id) => toolIn(view, id))
  const answer = read.findLastIndex(({ role }) => role === 'assistant')
  if (usage !== undefined && answer === -1)
    throw new HttpError(400, 'bad-request', 'usage in the body belongs to an answer, and there is none among the items')
  return read.map((message, i) => ({
    type: 'message',
    message,
    ...(i === answer ? { usage: fromWire(usage), model } : {}),
  }))
}

/** The tool of a call in the view. A result comes soon after its call, so the search begins at the end. */
function toolIn({ items }: View, id: string): string | undefined {
  for (let i = items.length - 1; i >= 0; i--) {
    const { message } = items.at(i) ?? {}
    const call = message && callsOf(message).find(({ toolCallId }) => toolCallId === id)
    if (call !== undefined) return call.toolName
  }
  return undefined
}

/** The user's message in the body of a request, as a text or as a message. */
function userMessageIn(
  body: { readonly text?: string | undefined; readonly message?: unknown } | undefined,
): UserMessage | undefined {
  if (body?.text !== undefined && body.message !== undefined)
    throw new HttpError(400, 'bad-request', 'the body has text and message: send one of them')
  if (body?.text !== undefined) return { role: 'user', content: body.text }
  if (body?.message === undefined) return undefined
  const message = messageInBody(body.message, ['message'])
  if (message.role !== 'user') throw new HttpError(400, 'bad-request', 'message in the body must be of the user')
  return message
}
