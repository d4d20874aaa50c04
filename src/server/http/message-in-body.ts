import { messageSchema } from '../../model/message-schema.ts'
import { issueText, problemOf } from '../../model/problems/parse.ts'
import type { Message } from '../../model/types.ts'
import { HttpError } from './http-error.ts'
import { requestProblem } from './request-problem.ts'

/** Parses the message at a path in the body. A refusal names the path of the problem. */
export function messageInBody(value: unknown, at: readonly PropertyKey[]): Message {
  const result = messageSchema.safeParse(value, { error: issueText })
  if (result.success) return result.data
  const { path, text } = problemOf(result.error)
  throw new HttpError(400, 'bad-message', requestProblem({ path: [...at, ...path], text }, 'body'))
}
