import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../../src/llm/call/chat-model.ts'
import { callsOf, type Message } from '../../../src/model/types.ts'
import { ask, CALL, failureOf, finishOf, KEY, modelAt } from '../../llm/support/ask.ts'
import { anthropic, compatible, google, openai, PROTOCOLS } from '../../llm/support/protocols.ts'
import { brokenAfter, events, fails, resets, serve, silentAfter } from '../../llm/support/server.ts'
import { full } from '../../support/full.ts'

const MALFORMED = 'data: {"broken": \n\n'

describe.each(PROTOCOLS)('over $kind', (protocol) => {
  /** In the short form each status is answered over one protocol or two. */
  const some = (statuses: readonly number[]) =>
    statuses.filter((_, i) => full || (i + PROTOCOLS.indexOf(protocol)) % 4 === 0)
  const well = events(protocol.answer({ text: 'fine' }))

  it.each(some([429, 408, 409, 500, 502, 503, 529]))(
    'HTTP %i is tried again, and each try is reported',
    async (status) => {
      const { url, received } = await serve(fails(status, { error: { message: 'not now' } }), fails(status, ''), well)
      const all = await ask(modelAt(url, protocol))
      expect(all.map((event) => event.type)).toEqual(['retry', 'retry', 'text', 'text', 'finish'])
      expect(all.slice(0, 2)).toMatchObject([
        { attempt: 2, inMs: 1_000 },
        { attempt: 3, inMs: 2_000 },
      ])
      expect(received).toHaveLength(3)
      expect(received[2]?.text).toBe(received[0]?.text)
    },
  )

  it.each(some([400, 401, 403, 404, 422]))('HTTP %i is not tried again', async (status) => {
    const { url, received } = await serve(fails(status, { error: { message: 'no such thing' } }))
    const failure = await failureOf(modelAt(url, protocol))
    expect(failure.kind).toBe(status === 401 || status === 403 ? 'auth' : 'bad-request')
    const advice = status === 401 ? `; check the key in providers.${protocol.provider}.api_key` : ''
    expect(failure.text).toBe(`${protocol.provider}: no such thing (HTTP ${status})${advice}`)
    expect(received).toHaveLength(1)
  })

  it('waits as long as the provider asks', async () => {
    const { url } = await serve(
      fails(429, {}, { 'retry-after': '7' }),
      fails(429, {}, { 'retry-after': '9', 'retry-after-ms': '250' }),
      fails(503, {}, { 'retry-after': 'Thu, 01 Jan 1970 00:01:40 GMT' }),
      well,
    )
    const waited: number[] = []
    const sleep = async (ms: number) => void waited.push(ms)
    await finishOf(modelAt(url, protocol, { sleep, clock: () => 90_000 }))
    expect(waited).toEqual([7_000, 250, 10_000])
  })

  it('gives up at once when the provider asks for a longer wait than is sensible, and says how long', async () => {
    const { url, received } = await serve(fails(429, { error: { message: 'slow' } }, { 'retry-after': '3600' }))
    expect(await failureOf(modelAt(url, protocol))).toMatchObject({ kind: 'rate-limit', retryAfterMs: 3_600_000 })
    expect(received).toHaveLength(1)
  })

  it('gives up after eight attempts', async () => {
    const { url, received } = await serve(fails(500, { error: { message: 'sorry' } }))
    const all = await ask(modelAt(url, protocol))
    expect(all.map((event) => event.type)).toEqual([...Array(7).fill('retry'), 'failed'])
    expect(received).toHaveLength(8)
  })

  it('a connection that breaks before the answer is tried again', async () => {
    const { url } = await serve(resets, brokenAfter([]), well)
    const all = await ask(modelAt(url, protocol))
    expect(all.map((event) => event.type)).toEqual(['retry', 'retry', 'text', 'text', 'finish'])
    expect(failures(all).map((failure) => failure.kind)).toEqual(['network', 'network'])
  })

  it('a stream that breaks in the middle of the answer is a failure, and is not said twice', async () => {
    const { url, received } = await serve(brokenAfter(protocol.beginning({ text: 'half of it' })))
    const all = await ask(modelAt(url, protocol))
    expect(all.filter((event) => event.type === 'text').length).toBeGreaterThan(0)
    expect(all.at(-1)).toMatchObject({ type: 'failed', failure: { kind: 'network' } })
    expect(received).toHaveLength(1)
  })

  it('a stream that ends without a finish is a failure', async () => {
    const { url } = await serve(events(protocol.beginning({ text: 'half of it' })))
    const failure = await failureOf(modelAt(url, protocol))
    expect(['network', 'malformed']).toContain(failure.kind)
  })

  it('an empty stream is tried again', async () => {
    const { url } = await serve(events([]), well)
    expect((await ask(modelAt(url, protocol))).map((event) => event.type)).toEqual(['retry', 'text', 'text', 'finish'])
  })

  it('an event that is not JSON is tried again before the answer and a failure after it', async () => {
    const before = await serve(events([MALFORMED]), well)
    const all = await ask(modelAt(before.url, protocol))
    expect(failures(all).map((failure) => failure.kind)).toEqual(['malformed'])
    expect(all.at(-1)?.type).toBe('finish')
    const after = await serve(events([...protocol.beginning({ text: 'half' }), MALFORMED]))
    expect(await failureOf(modelAt(after.url, protocol))).toMatchObject({ kind: 'malformed' })
    expect(after.received).toHaveLength(1)
  })

  it('an answer that is not an event stream is a failure', async () => {
    const { url } = await serve((response) => response.end('It works!'))
    expect(['network', 'malformed']).toContain((await failureOf(modelAt(url, protocol))).kind)
  })

  it('a web page instead of an answer is named as one, and is not asked for again', async () => {
    const { url, received } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!DOCTYPE html><html>Please sign in</html>')
    })
    expect(await failureOf(modelAt(url, protocol))).toEqual({
      kind: 'bad-request',
      text: `${protocol.provider}: it answered with a web page instead of a model’s answer: check the address of the provider (base_url)`,
    })
    expect(received).toHaveLength(1)
  })

  it('an answer about a web page is not a web page', async () => {
    const text = '<html> is where a page begins.'
    const { url } = await serve(events(protocol.answer({ text })))
    expect((await finishOf(modelAt(url, protocol))).message.content).toMatchObject([{ type: 'text', text }])
  })

  it('silence before the first byte, and in the middle, ends the wait; a long answer does not', async () => {
    const patience = { silenceMs: 250, firstByteMs: 250 }
    const mute = await serve(() => {}, silentAfter([]), well)
    const all = await ask(modelAt(mute.url, protocol, { patience }))
    expect(failures(all).slice(0, 2)).toMatchObject([{ kind: 'silence' }, { kind: 'silence' }])
    expect(all.at(-1)?.type).toBe('finish')
    const stops = await serve(silentAfter(protocol.beginning({ text: 'half' })))
    expect(await failureOf(modelAt(stops.url, protocol, { patience }))).toMatchObject({ kind: 'silence' })
    await stops.received[0]?.closed
  })

  it('a listener that takes its time is not taken for a silent provider', async () => {
    const { url } = await serve(well)
    const seen: string[] = []
    for await (const event of modelAt(url, protocol, { patience: { silenceMs: 400, firstByteMs: 5_000 } }).stream(
      CALL,
    )) {
      seen.push(event.type)
      if (seen.length === 1) await new Promise((resolve) => setTimeout(resolve, 900))
    }
    expect(seen.at(-1)).toBe('finish')
  })

  it('an abort ends the call, whatever it waits for, and closes the connection', async () => {
    const begun = protocol.beginning({ text: 'half' })
    for (const reply of [() => {}, silentAfter([]), silentAfter(begun)]) {
      const { url, received } = await serve(reply)
      const controller = new AbortController()
      const events = ask(modelAt(url, protocol), { ...CALL, signal: controller.signal })
      while (received.length === 0) await new Promise((resolve) => setImmediate(resolve))
      controller.abort()
      expect((await events).at(-1)).toEqual({ type: 'failed', failure: { kind: 'aborted', text: 'aborted' } })
      await received[0]?.closed
    }
  })

  it('an abort during a pause ends the call', async () => {
    const { url, received } = await serve(fails(500, {}))
    const controller = new AbortController()
    const sleep = async () => controller.abort()
    const all = await ask(modelAt(url, protocol, { sleep }), { ...CALL, signal: controller.signal })
    expect(all.map((event) => event.type)).toEqual(['retry', 'failed'])
    expect(received).toHaveLength(1)
  })

  it('a call that is aborted before it starts sends nothing', async () => {
    const { url, received } = await serve(well)
    const failure = await failureOf(modelAt(url, protocol), { ...CALL, signal: AbortSignal.abort() })
    expect(failure.kind).toBe('aborted')
    expect(received).toHaveLength(0)
  })

  it('a listener that leaves early closes the connection', async () => {
    const { url, received } = await serve(silentAfter(protocol.beginning({ text: 'half' })))
    for await (const event of modelAt(url, protocol).stream(CALL)) if (event.type === 'text') break
    await received[0]?.closed
  })

  it('a call that no provider would take is refused without being sent', async () => {
    const { url, received } = await serve(well)
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} } as const
    const messages = [...CALL.messages, { role: 'assistant' as const, content: [call] }]
    const failure = await failureOf(modelAt(url, protocol), { ...CALL, messages, tools: [{ name: 'read' }] })
    expect(failure.kind).toBe('bad-request')
    expect(received).toHaveLength(0)
  })

  it('the key is in no event, no error and no model', async () => {
    const body = { error: { message: `Incorrect API key provided: ${KEY}.\nSee https://example.com?key=${KEY}` } }
    const { url, received } = await serve(fails(500, body), fails(401, body))
    const model = modelAt(url, protocol)
    const all = await ask(model)
    expect(JSON.stringify(received[0]?.headers)).toContain(KEY)
    expect(JSON.stringify([all, model])).not.toContain(KEY)
    expect(all.at(-1)).toMatchObject({ failure: { kind: 'auth', text: expect.stringMatching(/\*\*\*/) } })
    expect(failures(all)[0]?.text).not.toContain('\n')
  })
})

describe('failures that only one protocol has', () => {
  it('arguments that are not JSON are passed on as text, and go back as an object', async () => {
    for (const protocol of [anthropic, openai, compatible]) {
      const calls = [{ id: 'c1', name: 'read', input: '{"path": "a.ts' }]
      const { url, received } = await serve(events(protocol.answer({ calls })), events(protocol.answer({ text: 'ok' })))
      const { message } = await finishOf(modelAt(url, protocol))
      expect(message.content).toMatchObject([{ type: 'tool-call', input: '{"path": "a.ts' }])
      const output = { type: 'error-text', value: 'no JSON' } as const
      const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output } as const
      const messages = [...CALL.messages, message, { role: 'tool' as const, content: [result] }]
      await finishOf(modelAt(url, protocol), { ...CALL, messages, tools: [{ name: 'read' }] })
      expect(received[1]?.text).toContain('invalid_arguments')
    }
  })

  it('an overloaded Anthropic inside a stream is tried again', async () => {
    const overloaded =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'
    const { url } = await serve(events([overloaded]), events(anthropic.answer({ text: 'fine' })))
    const all = await ask(modelAt(url, anthropic))
    expect(failures(all)).toMatchObject([{ kind: 'server', text: expect.stringContaining('Overloaded') }])
    expect(all.at(-1)?.type).toBe('finish')
  })

  it('Google says in the body how long to wait', async () => {
    const body = {
      error: { code: 429, message: 'quota', details: [{ retryDelay: '34s' }], status: 'RESOURCE_EXHAUSTED' },
    }
    const { url } = await serve(fails(429, body), events(google.answer({ text: 'fine' })))
    expect((await ask(modelAt(url, google)))[0]).toMatchObject({ type: 'retry', inMs: 34_000 })
  })

  it('a quota that is used up is not tried again', async () => {
    const body = {
      error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' },
    }
    const { url, received } = await serve(fails(429, body))
    expect((await failureOf(modelAt(url, openai))).kind).toBe('rate-limit')
    expect(received).toHaveLength(1)
  })

  it('a local server that does not run is waited for, and said', async () => {
    const { url, stop } = await serve()
    await stop()
    const all = await ask(modelAt(url, compatible))
    expect(all.map((event) => event.type)).toEqual([...Array(7).fill('retry'), 'failed'])
    expect(failures(all).at(0)).toEqual({
      kind: 'network',
      text: `deepseek: nothing listens at ${new URL(url).host}: start the server`,
    })
  })

  it('calls that a server gives no name, or one that was used before, get one of their own', async () => {
    const calls = ['call_0', '', '', 'call_0'].map((id) => ({ id, name: 'read', input: '{}' }))
    const { url } = await serve(events(compatible.answer({ calls })))
    const call = { type: 'tool-call', toolCallId: 'call_0', toolName: 'read', input: {} } as const
    const output = { type: 'text', value: 'x' } as const
    const result = { type: 'tool-result', toolCallId: 'call_0', toolName: 'read', output } as const
    const messages: Message[] = [
      ...CALL.messages,
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [result] },
    ]
    const all = await ask(modelAt(url, compatible), { ...CALL, messages, tools: [{ name: 'read' }] })
    const ids = all.flatMap((event) => (event.type === 'tool-call' ? [event.toolCallId] : []))
    expect(new Set([...ids, 'call_0', '']).size).toBe(6)
    const { message } = all.at(-1) as Extract<ModelEvent, { type: 'finish' }>
    expect(callsOf(message).map((part) => part.toolCallId)).toEqual(ids)
  })

  it('`stop` after a call is a call', async () => {
    const calls = [{ id: 'c1', name: 'read', input: '{}' }]
    const { url } = await serve(events(compatible.answer({ calls, finish: 'stop' })))
    expect((await finishOf(modelAt(url, compatible))).reason).toBe('tool-calls')
  })
})

function failures(all: readonly ModelEvent[]) {
  return all.flatMap((event) => (event.type === 'retry' || event.type === 'failed' ? [event.failure] : []))
}
