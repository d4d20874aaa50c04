import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** A response that can be passed on. */
export type PassedResponse = Readable & Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'rawHeaders' | 'headers'>

/** A response whose body was read, and that can be passed on all the same. */
export type HeldResponse = PassedResponse & { readonly bytes: Buffer }

/** Holds a response when it is a refusal; undefined for every other one, which is as it was. */
export async function heldRefusal(response: PassedResponse): Promise<HeldResponse | undefined> {
  const { statusCode = 0, headers } = response
  if (statusCode === 400 || statusCode === 413 || statusCode === 422) return held(response)
  const isStream =
    /^text\/event-stream/.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined
  return isStream && (await beginsWithFailure(response)) ? held(response) : undefined
}

async function held(response: PassedResponse): Promise<HeldResponse> {
  const { statusCode, statusMessage, rawHeaders, headers } = response
  const bytes = await buffer(response)
  const body = Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false })
  return Object.assign(body, { statusCode, statusMessage, rawHeaders, headers, bytes })
}

/**
 * True for a stream that begins well and fails before it says anything, as OpenAI's Responses do: up to the first event that
 * is no greeting the stream is looked at and put back.
 */
async function beginsWithFailure(response: PassedResponse): Promise<boolean> {
  const seen: Buffer[] = []
  let beginning = ''
  while (GREETINGS.test(beginning) && (await readable(response))) {
    const chunk: Buffer | null = response.read()
    if (chunk === null) continue
    seen.push(chunk)
    beginning += chunk.toString('latin1')
  }
  if (seen.length > 0) response.unshift(Buffer.concat(seen))
  return FAILURE.test(beginning)
}

/** Greetings and the beginning of the next event, or the beginning of a greeting. Other streams are not looked at further. */
const GREETINGS =
  /^(?:event: response\.(?:created|in_progress|queued)\r?\ndata: [^\n]*\n\r?\n)*(?:event: response\.(?:created|in_progress|queued)\r?\n[^\n]*|e?v?e?n?t?:? ?[\w.]*\r?)$/
const FAILURE =
  /^(?:event: response\.(?:created|in_progress|queued)\r?\ndata: [^\n]*\n\r?\n)*event: (?:error|response\.failed)\r?\n/

/** Waits for more of a stream; false when there is no more. */
function readable(response: Readable): Promise<boolean> {
  if (response.readableLength > 0) return Promise.resolve(true)
  if (response.readableEnded || response.destroyed) return Promise.resolve(false)
  return new Promise((resolve) => {
    const done = (isMore: boolean) => {
      response.off('readable', more).off('end', end).off('close', end).off('error', end)
      resolve(isMore)
    }
    const more = () => done(true)
    const end = () => done(false)
    response.once('readable', more).once('end', end).once('close', end).once('error', end)
  })
}
