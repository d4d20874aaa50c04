import { randomUUID } from 'node:crypto'
import type { z } from '@hono/zod-openapi'
import * as contract from '../../../contract/routes/message-routes.ts'
import { fromWire } from '../../../contract/shapes/wire.ts'
import type { UserMessage, View } from '../../../model/types.ts'
import { HttpError } from '../../http/http-error.ts'
import { fromShape, lacksTools, withToolNames } from '../../http/message-shapes.ts'
import { messageInBody } from '../../http/request-body.ts'
import { checkSame, requestKey } from '../../http/same-request.ts'
import { appendSized, type MessageDraft } from '../../sessions/append-sized.ts'
import { placedPage } from '../../sessions/placed-entries.ts'
import { answerQuestion, cancelWork, steerTurn } from '../../work/turn-input.ts'
import { type Handler, handler, sessionHandler } from '../handler.ts'
import { startTurn, turnEvents, wireEnd } from './server-turn.ts'

/** Sends a message to the agent of the server; the reply comes as events or as one answer. */
const postTurnHandler = sessionHandler(contract.postTurnRoute, async (call, served, services) => {
  const { body, headers, caller, wantsEvents, gone } = call
  const left = new AbortController()
  const turn = await startTurn(services, served, {
    id: randomUUID(),
    token: caller.token,
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

const appendMessages = handler(
  contract.appendMessagesRoute,
  async ({ params: { id }, body, headers, caller }, services) => {
    const drafts = await draftsIn(body, async () => (await services.sessions.open(id, caller.owner)).live.view)
    const key = requestKey(caller, 'messages', headers)
    const { entries, status, isDue } = await appendSized(services, { id, owner: caller.owner, key }, drafts)
    if (key !== undefined) checkSame(entries, drafts)
    services.metrics.add('pith_messages_total', {}, drafts.length)
    return { seqs: entries.map(({ seq }) => seq), status, compaction_due: isDue }
  },
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
async function draftsIn(
  { messages, shape = 'ai-sdk', items, usage, model }: z.output<typeof contract.appendBody>,
  openView: () => Promise<View>,
): Promise<MessageDraft[]> {
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
  const given = fromShape(shape, items ?? [])
  const read = lacksTools(given) ? withToolNames(given, await openView()) : given
  const answer = read.findLastIndex(({ role }) => role === 'assistant')
  if (usage !== undefined && answer === -1)
    throw new HttpError(400, 'bad-request', 'usage in the body belongs to an answer, and there is none among the items')
  return read.map((message, i) => ({
    type: 'message',
    message,
    ...(i === answer ? { usage: fromWire(usage), model } : {}),
  }))
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
