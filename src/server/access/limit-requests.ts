import type { MiddlewareHandler } from 'hono'
import { HttpError } from '../http/http-error.ts'
import type { RequestEnv } from '../http/request-env.ts'

/** Refuses requests of a token that has `most` unanswered ones already. */
export function limitRequests(most: number): MiddlewareHandler<RequestEnv> {
  const unanswered = new Map<string, number>()
  return async (context, next) => {
    const { name } = context.get('caller')
    const count = unanswered.get(name) ?? 0
    if (count >= most)
      throw new HttpError(429, 'too-many-requests', `the token ${name} has ${count} requests unanswered: try again`)
    unanswered.set(name, count + 1)
    try {
      await next()
    } finally {
      const left = (unanswered.get(name) ?? 1) - 1
      if (left > 0) unanswered.set(name, left)
      else unanswered.delete(name)
    }
  }
}
