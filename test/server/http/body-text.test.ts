import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { type RequestEnv, shownError } from '../../../src/server/http/http-error.ts'
import { bodyText, limitBody } from '../../../src/server/http/request-body.ts'

const app = new Hono<RequestEnv>()
app.onError((error, context) => context.text(error.message, shownError(error).status))
app.use(limitBody({ bytes: 10, setting: 'limit_here' }))
app.post('/', async (context) => context.text(await bodyText(context)))

async function post(body: string | ReadableStream | undefined, headers: Record<string, string> = {}) {
  const answer = await app.request('/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  return { status: answer.status, text: await answer.text() }
}

/** A body that comes in pieces, without its length. */
function pieces(...chunks: readonly Uint8Array[]): ReadableStream {
  return ReadableStream.from(chunks)
}

const TOO_LARGE = {
  status: 413,
  text: "the body is larger than 10 bytes; the server's setting limit_here changes this limit",
}

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

  it('may be packed with gzip, and is not larger than the limit unpacked', async () => {
    const gzip = { 'content-encoding': 'gzip' }
    const packed = (text: string) => pieces(gzipSync(text))
    // Ten bytes and the packing do not fit into ten bytes.
    const wide = new Hono<RequestEnv>()
      .use(limitBody({ bytes: 1_000 }))
      .post('/', async (context) => context.text(await bodyText(context)))
    const sent = (text: string) =>
      ({ method: 'POST', body: packed(text), headers: gzip, duplex: 'half' }) as RequestInit
    wide.onError((error, context) => context.text(error.message, shownError(error).status))
    expect(await (await wide.request('/', sent('{"a":"€"}'))).text()).toBe('{"a":"€"}')
    const bomb = await wide.request('/', sent('x'.repeat(100_000)))
    expect([bomb.status, await bomb.text()]).toEqual([413, 'the body is larger than 1000 bytes'])
    expect(await post(packed('x'), gzip)).toEqual(TOO_LARGE)
    expect(await post('no gzip', gzip)).toEqual({
      status: 400,
      text: 'the body is not gzip, although its Content-Encoding says so',
    })
    expect((await post(undefined, gzip)).status).toBe(200)
  })

  it('in another encoding is refused by its name', async () => {
    expect(await post('x', { 'content-encoding': 'br' })).toEqual({
      status: 415,
      text: 'a body with Content-Encoding "br" is not understood: send it as it is, or with gzip',
    })
    expect((await post('x', { 'content-encoding': 'identity' })).text).toBe('x')
  })

  it('may be missing', async () => {
    expect(await post(undefined)).toEqual({ status: 200, text: '' })
  })
})
