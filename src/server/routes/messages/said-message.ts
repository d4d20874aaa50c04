import type { UserMessage } from '../../../model/message/message.ts'
import { HttpError } from '../../http/http-error.ts'
import { messageInBody } from '../../http/message-in-body.ts'

/** The user's message in the body of a request, as a text or as a message. */
export function saidMessage(
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
