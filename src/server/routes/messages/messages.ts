import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import * as contract from '../../../contract/messages.ts'
import { fromWire } from '../../../contract/wire.ts'
import type { UserMessage } from '../../../model/message.ts'
import { parseMessage } from '../../../model/message-schema.ts'
import type { Env } from '../../http/env.ts'
import { HttpError } from '../../http/http-error.ts'
import { requestKey } from '../../http/request-key.ts'
import { isDue, measureOf, statusFor } from '../../sessions/measure.ts'
import { placedPage } from '../../sessions/placed-entries.ts'
import type { Services } from '../../sessions/services.ts'
import { answerQuestion } from '../../work/answer-signal.ts'
import { cancelWork } from '../../work/cancel-signal.ts'
import { handle } from '../route-handler.ts'
import { turnEvents } from './turn-events.ts'
import { startTurn, wireEnd } from './turns.ts'

/** Messages: the log by page, appending for agents of the caller's own, and talking to the server's agent. */
export function messageRoutes(app: Hono<Env>, services: Services): void {
  const { store, sessions, metrics, streams } = services

  handle(app, contract.listEntries, async ({ params: { id }, query, caller }) =>
    placedPage(services, await sessions.open(id, caller.owner), query),
  )

  handle(app, contract.appendMessages, async ({ params: { id }, body, headers, caller }) => {
    await sessions.open(id, caller.owner)
    const drafts = body.messages.map(({ message, usage, model }, i) => ({
      type: 'message' as const,
      message: parseMessage(message, `body.messages.${i}`),
      usage: fromWire(usage),
      model,
    }))
    const key = requestKey(caller, 'messages', headers)
    const appended = await store.append(id, drafts, { key })
    if (!appended.ok) throw new Error('unreachable: an append without conditions is not refused')
    metrics.add('pith_messages_total', {}, drafts.length)
    const served = await sessions.open(id, caller.owner)
    const measure = await measureOf(services, served)
    const status = statusFor(served, measure)
    return { seqs: appended.entries.map(({ seq }) => seq), status, compaction_due: isDue(served, measure, status) }
  })

  handle(app, contract.postTurn, async ({ params: { id }, body, headers, caller, wantsEvents, gone }) => {
    const served = await sessions.open(id, caller.owner)
    const left = new AbortController()
    const turn = await startTurn(services, served, {
      id: randomUUID(),
      said: saidIn(body),
      key: requestKey(caller, 'turn', headers),
      reader: wantsEvents && body?.asks === true ? left.signal : undefined,
    })
    if (wantsEvents)
      return streams.respond(caller.owner, gone, (signal) => {
        signal.addEventListener('abort', () => left.abort())
        return turnEvents(id, turn, signal)
      })
    const { end, seq } = await turn.done
    return { id: turn.id, ...(seq === undefined ? {} : { seq }), end: wireEnd(end) }
  })

  handle(app, contract.answerTurn, async ({ params: { id }, body: { question, ...answer }, caller }) => {
    await sessions.open(id, caller.owner)
    return { answered: await answerQuestion(services, id, question, answer) }
  })

  handle(app, contract.cancelTurn, async ({ params: { id }, caller }) => {
    await sessions.open(id, caller.owner)
    return cancelWork(services, id, 'turn')
  })
}

function saidIn(
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
