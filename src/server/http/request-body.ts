import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Context, MiddlewareHandler } from 'hono'
import { messageSchema } from '../../model/message-schema.ts'
import { type PolicyPatch, parsePolicyConfig } from '../../model/policy/policy.ts'
import { checkPolicy } from '../../model/policy/presets.ts'
import { PithError } from '../../model/problems/errors.ts'
import { issueText, type ParseProblem, problemOf } from '../../model/problems/parse.ts'
import type { Message } from '../../model/types.ts'
import { type BodyLimit, HttpError, type RequestEnv } from './http-error.ts'

/**
 * Refuses a body whose content-length is too large, and keeps the limit for bodies that do not announce their length.
 */
export function limitBody(limit: BodyLimit): MiddlewareHandler<RequestEnv> {
  return async (context, next) => {
    context.set('bodyLimit', limit)
    if (Number(context.req.header('content-length') ?? 0) > limit.bytes)
      await refuseRest(context.req.raw, limit, context.req.raw.body?.getReader())
    await next()
  }
}

/** The body as text. A body that was packed with gzip is unpacked. Neither form may be larger than the limit. */
export async function bodyText(context: Context<RequestEnv>): Promise<string> {
  const isPacked = isGzip(context.req.header('content-encoding'))
  // The length was checked already, and no more than that is read. Reading it as a stream takes twice the time.
  if (!isPacked && context.req.header('content-length') !== undefined) return context.req.raw.text()
  const limit = context.get('bodyLimit')
  const bytes = await bodyBytes(context.req.raw, limit)
  return new TextDecoder().decode(isPacked ? await unpacked(bytes, limit) : bytes)
}

/** False for a body as it is. A body in any other form is refused: it would be reported as bad JSON. */
function isGzip(encoding = 'identity'): boolean {
  const name = encoding.trim().toLowerCase()
  if (name === 'identity' || name === '') return false
  if (name === 'gzip' || name === 'x-gzip') return true
  const message = `a body with Content-Encoding ${JSON.stringify(name.slice(0, 100))} is not understood: send it as it is, or with gzip`
  throw new HttpError(415, 'bad-encoding', message)
}

async function bodyBytes(request: Request, limit: BodyLimit): Promise<Buffer> {
  const reader = request.body?.getReader()
  if (reader === undefined) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks)
    size += value.byteLength
    if (size > limit.bytes) await refuseRest(request, limit, reader)
    chunks.push(value)
  }
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>

/**
 * Refuses a body that is too large, then reads the rest and drops it. Many clients read the answer only when they have sent
 * everything: if the connection were closed before, they would get an error of the network instead. A client that asked for it is
 * disconnected by Node right after the answer, so it is answered last. The HTTP server ends a body that takes too long.
 */
async function refuseRest({ headers }: Request, limit: BodyLimit, reader: BodyReader | undefined): Promise<never> {
  const rest = reader === undefined ? undefined : discard(reader)
  if (/\bclose\b/i.test(headers.get('connection') ?? '')) await rest
  throw tooLarge(limit)
}

async function discard(reader: BodyReader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client has left.
  }
}

async function unpacked(bytes: Buffer, limit: BodyLimit): Promise<Buffer> {
  if (bytes.length === 0) return bytes
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: limit.bytes })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(limit)
    throw new HttpError(400, 'bad-request', 'the body is not gzip, although its Content-Encoding says so')
  }
}

function tooLarge({ bytes, setting }: BodyLimit): HttpError {
  const change = setting === undefined ? '' : `; the server's setting ${setting} changes this limit`
  return new HttpError(413, 'too-large', `the body is larger than ${bytes} bytes${change}`)
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
