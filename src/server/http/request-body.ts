import type { Context, MiddlewareHandler } from 'hono'
import { messageSchema } from '../../model/message-schema.ts'
import { type PolicyPatch, parsePolicyConfig } from '../../model/policy/policy.ts'
import { checkPolicy } from '../../model/policy/presets.ts'
import { PithError } from '../../model/problems/errors.ts'
import { issueText, type ParseProblem, problemOf } from '../../model/problems/parse.ts'
import type { Message } from '../../model/types.ts'
import { HttpError, type RequestEnv } from './http-error.ts'

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

/** A problem in a part of a request, as a sentence: `seq in the path must be a number`. */
export function requestProblem({ path, text }: ParseProblem, part: 'path' | 'query' | 'header' | 'body'): string {
  const place = path.length === 0 ? `the ${part}` : `${path.map(String).join('.')} in the ${part}`
  // Most problem texts continue the sentence.
  return `${place}${/^(?:must|is|has) /.test(text) ? '' : ':'} ${text}`
}

/** Parses the message at a path in the body. A refusal names the path of the problem. */
export function messageInBody(value: unknown, at: readonly PropertyKey[]): Message {
  const result = messageSchema.safeParse(value, { error: issueText })
  if (result.success) return result.data
  const { path, text } = problemOf(result.error)
  throw new HttpError(400, 'bad-message', requestProblem({ path: [...at, ...path], text }, 'body'))
}

/** The policy of a request body: a preset, or settings as in the configuration file. */
export function policyFrom(value: string | Readonly<Record<string, unknown>>): PolicyPatch {
  const patch = parsePolicyConfig(typeof value === 'string' ? { preset: value } : value, 'policy')
  if (patch.prompt !== undefined && patch.prompt.length > MOST_PROMPT)
    throw new PithError('bad-policy', `policy: compact_prompt: has more than ${MOST_PROMPT} characters`)
  checkPolicy(patch)
  return patch
}

const MOST_PROMPT = 100_000
