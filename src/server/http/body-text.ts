import type { Context, MiddlewareHandler } from 'hono'
import { HttpError } from './http-error.ts'
import type { RequestEnv } from './request-env.ts'

/**
 * Refuses a body whose content-length is too large, and keeps the limit for bodies that do not announce their length.
 */
export function limitBody(bytes: number): MiddlewareHandler<RequestEnv> {
  return async (context, next) => {
    context.set('bodyLimit', bytes)
    if (Number(context.req.header('content-length') ?? 0) > bytes) throw tooLarge(bytes)
    await next()
  }
}

/** The body as text, read no further than the limit. */
export async function bodyText(context: Context<RequestEnv>): Promise<string> {
  // The length was checked already, and no more than that is read. Reading it as a stream takes twice the time.
  if (context.req.header('content-length') !== undefined) return context.req.raw.text()
  const { body } = context.req.raw
  const limit = context.get('bodyLimit')
  if (body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(limit)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function tooLarge(bytes: number): HttpError {
  return new HttpError(413, 'too-large', `the body is larger than ${bytes} bytes`)
}
