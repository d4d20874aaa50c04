import { RETRY_LIMITS, Retries, type RetryDeps } from '../../llm/call/chat-model.ts'
import { sleep } from '../../llm/call/stream.ts'
import { type CallFailure, type FailingEndpoint, failureOf } from '../../llm/failure/failure.ts'
import { PageError } from '../../llm/failure/model-failure.ts'
import type { CompactEvent, CompactedResult } from '../../model/compact-result.ts'
import { type ModelChunk, partsOf, textOf, type Usage } from '../../model/types.ts'
import { field } from '../../model/values.ts'
import type { FaceAnswer, FaceRequest } from '../faces/face.ts'
import { responseObjects } from '../faces/protocol-parts.ts'
import { faceNamed } from '../faces/read-request.ts'
import type { SummaryTry } from '../recording/bill.ts'
import type { AskedAnswer, AskOptions, Exchange } from './mode.ts'

const RETRIES: RetryDeps = { limits: RETRY_LIMITS, random: Math.random, sleep }

/**
 * Asks the client's own model for a summary, as the engine reads it. After a failure that may pass, such as an overloaded
 * provider or a broken connection, the same bytes are sent again.
 */
export async function* askSummary(
  exchange: Exchange,
  read: FaceRequest,
  { body, retries: deps = RETRIES, ...options }: AskOptions & { body: Buffer; retries?: RetryDeps },
): AsyncGenerator<ModelChunk> {
  const retries = new Retries(deps)
  for (;;) {
    const { answer, failed, usage } = await attempt(exchange, read, body, options)
    if (answer !== undefined) return yield* chunksOf(answer)
    const { failure, retry } = failed
    const inMs = retry && options.signal?.aborted !== true ? retries.next(failure.retryAfterMs) : undefined
    if (inMs === undefined) return yield { type: 'error', error: new Error(failure.text), usage }
    yield { type: 'retry', inMs, reason: failure.text, usage }
    await retries.wait(inMs, options.signal)
  }
}

type Attempt =
  | { readonly answer: FaceAnswer; readonly failed?: undefined; readonly usage?: undefined }
  | { readonly answer?: undefined; readonly failed: CallFailure; readonly usage?: Usage }

async function attempt(
  exchange: Exchange,
  { face: name, messages }: FaceRequest,
  body: Buffer,
  options: AskOptions,
): Promise<Attempt> {
  const face = faceNamed(name)
  const endpoint = endpointOf(exchange)
  const failed = (error: unknown) => failureOf(error, endpoint, Date.now())
  try {
    const asked = await exchange.ask(body, options)
    if (asked.status !== 200) return { failed: failed(errorOf(asked)) }
    const answer = face.answerOf(asked.text, messages.length)
    if (answer !== undefined) return { answer }
    return { failed: failed(asked.fault ?? errorIn(asked.text)), usage: face.usageIn(asked.text) }
  } catch (error) {
    return { failed: failed(error) }
  }
}

/** In the shape that errors of model calls have. */
function errorOf({ status, headers, text }: AskedAnswer): unknown {
  return { statusCode: status, message: `status ${status}`, responseBody: text, responseHeaders: headers }
}

/** Why a response with status 200 has no answer: the provider reported an error in the stream, or the stream has no end. */
function errorIn(text: string): unknown {
  if (text.trimStart().startsWith('<')) return new PageError()
  const reported = responseObjects(text).flatMap((event) => [event.error, field(event.response, 'error')])
  return reported.findLast((error) => error != null) ?? { message: 'the answer broke off before its end' }
}

/** Whom a failure is about. The client's key must not be in its text. */
function endpointOf({ upstream, client }: Exchange): FailingEndpoint {
  const secret = Object.entries(client.headers).filter(([name]) => SECRETS.test(name))
  return {
    provider: upstream.name,
    baseUrl: upstream.url.href,
    keyFrom: 'your agent',
    headers: Object.fromEntries(secret),
    isLocal: false,
  }
}

const SECRETS = /authorization|key|token|cookie/

function* chunksOf({ message, end, usage }: FaceAnswer): Generator<ModelChunk> {
  yield { type: 'text', text: message === undefined ? '' : textOf(message) }
  for (const part of message === undefined ? [] : partsOf(message)) {
    if (part.type === 'tool-call') yield { type: 'tool-call', name: part.toolName }
  }
  yield { type: 'finish', reason: end ?? 'stop', usage }
}

/**
 * How long the calls of one compaction may take together, from the first on. When it is over, the record is made from the
 * log.
 */
export function summaryLimit(ms: number): () => AbortSignal {
  let limit: AbortSignal | undefined
  return () => {
    limit ??= AbortSignal.timeout(ms)
    return limit
  }
}

/** After this share of the limit without a byte the model is asked again: a call that hangs leaves time for a second one. */
export const SILENCE_SHARE = 0.5

/** Counts how often a model was asked for the summary of a compaction. */
export class Tries {
  count = 1

  readonly onEvent = ({ type }: CompactEvent): void => {
    if (type === 'retry') this.count++
    // Another model.
    if (type === 'rung') this.count = 1
  }

  /** How a compaction got its summary; undefined if no model was asked. */
  ended({ rung, refusal }: Pick<CompactedResult, 'rung' | 'refusal'>): SummaryTry | undefined {
    if (rung === 'warm' || rung === 'cold') return this.count
    return refusal === undefined ? undefined : 'log'
  }
}
