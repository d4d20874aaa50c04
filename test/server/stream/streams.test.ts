import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { WireEvent } from '../../../src/contract/shapes/wire-events.ts'
import { Streams } from '../../../src/server/stream/streams.ts'

const me = { owner: 'me', isKnown: () => true }
const you = { owner: 'you', isKnown: () => true }
const here = () => new AbortController().signal

/** Events until the signal aborts; remembers the signal. */
function endless(signals: AbortSignal[] = []) {
  return async function* (signal: AbortSignal): AsyncGenerator<WireEvent, void> {
    signals.push(signal)
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
}

describe('an event stream', () => {
  it('begins with a comment, has an event a block, and ends', async () => {
    const streams = new Streams(1)
    const answer = streams.respond(me, here(), async function* (): AsyncGenerator<WireEvent, void> {
      yield { event: 'ready', data: {} }
      yield { event: 'notice', data: { text: 'two\nlines' }, id: 7 }
    })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    expect(await answer.text()).toBe(
      ': open\n\nevent: ready\ndata: {}\n\nevent: notice\nid: 7\ndata: {"text":"two\\nlines"}\n\n',
    )
    expect(streams.size).toBe(0)
  })

  it('has a comment every fifteen seconds while nothing happens, if its reader reads', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const streams = new Streams(1)
    const reader = streams.respond(me, here(), endless()).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe(': open\n\n')
    const next = reader?.read()
    await vi.advanceTimersByTimeAsync(15_000)
    expect((await next)?.value).toBe(': alive\n\n')
    await reader?.cancel()
  })

  it('ends if its events fail', async () => {
    const streams = new Streams(1)
    const answer = streams.respond(me, here(), async function* (): AsyncGenerator<WireEvent, void> {
      yield { event: 'ready', data: {} }
      throw new Error('no more')
    })
    expect(await answer.text()).toBe(': open\n\nevent: ready\ndata: {}\n\n')
    expect(streams.size).toBe(0)
  })

  it('counts for its owner alone', async () => {
    const streams = new Streams(1)
    const signals: AbortSignal[] = []
    const mine = streams.respond(me, here(), endless(signals))
    streams.respond(you, here(), endless(signals))
    expect(streams.size).toBe(2)
    expect(() => streams.respond(me, here(), endless())).toThrow(
      'this token has 1 event streams open: close some first',
    )
    await mine.body?.cancel()
    expect(streams.size).toBe(1)
    streams.respond(me, here(), endless(signals))
    expect(streams.size).toBe(2)
    streams.closeAll()
  })

  it('lets its events know when the reader leaves and when the server stops', async () => {
    const streams = new Streams(5)
    const signals: AbortSignal[] = []
    const left = new AbortController()
    const stopped = streams.respond(me, here(), endless(signals)).text()
    const gone = streams.respond(me, left.signal, endless(signals)).text()
    left.abort()
    expect(await gone).toBe(': open\n\n')
    expect(streams.size).toBe(1)
    streams.closeAll()
    expect(await stopped).toBe(': open\n\n')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(streams.size).toBe(0)
  })

  it('ends when its token is known no longer, and others continue', async () => {
    const streams = new Streams(5)
    let isKnown = true
    const ended = streams.respond({ owner: 'me', isKnown: () => isKnown }, here(), endless()).text()
    streams.respond(me, here(), endless())
    isKnown = false
    expect(await ended).toBe(': open\n\n')
    expect(streams.size).toBe(1)
    streams.closeAll()
  })

  it('leaves nothing open for a reader that has gone before', () => {
    const streams = new Streams(1)
    streams.respond(me, AbortSignal.abort(), endless())
    expect(streams.size).toBe(0)
  })
})
