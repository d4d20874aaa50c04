import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { type RequestEnv, shownError } from '../../../src/server/http/http-error.ts'
import { bodyText, limitBody } from '../../../src/server/http/request-body.ts'

const app = new Hono<RequestEnv>()
app.onError((error, context) => context.text(error.message, shownError(error).status))
app.use(limitBody(10))
app.post('/', async (context) => context.text(await bodyText(context)))

async function post(body: string | ReadableStream | undefined, headers: Record<string, string> = {}) {
  const answer = await app.request('/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  return { status: answer.status, text: await answer.text() }
}

/** A body that comes in pieces, without its length. */
function pieces(...chunks: readonly Uint8Array[]): ReadableStream {
  return ReadableStream.from(chunks)
}

const TOO_LARGE = { status: 413, text: 'the body is larger than 10 bytes' }

describe('a body', () => {
  it('may have as many bytes as the limit and no more', async () => {
    const bytes = (count: number) => new TextEncoder().encode('x'.repeat(count))
    expect(await post(pieces(bytes(4), bytes(6)))).toEqual({ status: 200, text: 'xxxxxxxxxx' })
    expect(await post(pieces(bytes(4), bytes(7)))).toEqual(TOO_LARGE)
  })

  it('is refused by its announced length before it is read', async () => {
    expect(await post('x', { 'content-length': '10' })).toEqual({ status: 200, text: 'x' })
    expect(await post('x', { 'content-length': '11' })).toEqual(TOO_LARGE)
  })

  it('may be cut between the bytes of a character', async () => {
    const euro = new TextEncoder().encode('5 €')
    expect((await post(pieces(euro.slice(0, 3), euro.slice(3)))).text).toBe('5 €')
    expect((await post(pieces(euro.slice(0, 3)))).text).toBe('5 \uFFFD')
  })

  it('may be missing', async () => {
    expect(await post(undefined)).toEqual({ status: 200, text: '' })
  })
})
