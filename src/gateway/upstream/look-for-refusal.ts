import { Readable } from 'node:stream'
import type { PassedResponse } from './pass-on.ts'

/** A response whose beginning was read. All of it can still be passed on. */
type SeenResponse = {
  readonly response: PassedResponse
  /** The body, when the response is a refusal and came whole. */
  readonly refusal?: Buffer
}

/** Finds out whether a response is a refusal. Of other responses it reads at most the first events of a stream. */
export async function lookForRefusal(response: PassedResponse): Promise<SeenResponse> {
  const { statusCode = 0, headers } = response
  const isStream =
    /^text\/event-stream/.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined
  const isRefused = statusCode === 400 || statusCode === 413 || statusCode === 422
  if (!isRefused && !isStream) return { response }
  const body = new BodyReader(response)
  if (!isRefused && !(await beginsWithFailure(body))) return { response: body.response() }
  while (await body.readMore()) {}
  return { response: body.response(), refusal: body.isBroken ? undefined : Buffer.concat(body.chunks) }
}

/**
 * True for a stream that begins well and fails before any content, as in OpenAI's Responses API. It is read up to the first
 * event that is not a greeting (`created`, `in_progress`, `queued`).
 */
async function beginsWithFailure(body: BodyReader): Promise<boolean> {
  let beginning = ''
  while (GREETINGS.test(beginning) && (await body.readMore())) beginning += body.chunks.at(-1)?.toString('latin1')
  return FAILURE.test(beginning)
}

/** Greetings and the beginning of the next event, or the beginning of a greeting. Other streams are not read further. */
const GREETINGS =
  /^(?:event: response\.(?:created|in_progress|queued)\r?\ndata: [^\n]*\n\r?\n)*(?:event: response\.(?:created|in_progress|queued)\r?\n[^\n]*|e?v?e?n?t?:? ?[\w.]*\r?)$/
const FAILURE =
  /^(?:event: response\.(?:created|in_progress|queued)\r?\ndata: [^\n]*\n\r?\n)*event: (?:error|response\.failed)\r?\n/

/** Reads a response piece by piece, and gives back one that has the pieces, the rest, and the same end. */
class BodyReader {
  readonly chunks: Buffer[] = []
  readonly #response: PassedResponse
  readonly #rest: AsyncIterableIterator<Buffer>
  #fault: unknown

  constructor(response: PassedResponse) {
    this.#response = response
    this.#rest = response[Symbol.asyncIterator]()
  }

  /** True when it broke off before its end. */
  get isBroken(): boolean {
    return this.#fault !== undefined
  }

  /** Reads one more piece; false when there is none. */
  async readMore(): Promise<boolean> {
    try {
      const { done, value } = await this.#rest.next()
      if (done !== true) this.chunks.push(value)
      return done !== true
    } catch (error) {
      this.#fault = error
      return false
    }
  }

  response(): PassedResponse {
    const { statusCode, statusMessage, rawHeaders, headers } = this.#response
    const body = Readable.from(this.#pieces(), { objectMode: false })
    return Object.assign(body, { statusCode, statusMessage, rawHeaders, headers })
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    yield* this.chunks
    if (this.#fault !== undefined) throw this.#fault
    yield* this.#rest
  }
}
