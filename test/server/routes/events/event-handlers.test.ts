import { describe, expect, it } from 'vitest'
import { ALL_EVENTS, SESSION_EVENTS, TURN_EVENTS } from '../../../../src/contract/shapes/wire-events.ts'
import { turns } from '../../../support/messages.ts'
import { eventsOf, eventsUntil, type StreamEvent } from '../../support/events.ts'
import { serverWorld, TOKENS } from '../../support/world.ts'

const SUMMARY = 'They talked about questions and answers, at length.'

function expectShapes(
  received: readonly StreamEvent[],
  shapes: Readonly<Record<string, { parse(data: unknown): unknown }>>,
): void {
  for (const { event, data } of received) {
    expect(Object.keys(shapes)).toContain(event)
    shapes[event]?.parse(data)
  }
}

describe('event streams', () => {
  it('every event arrives in order and in its documented shape', async () => {
    const { ask, session, stream } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    await ask('POST', `/v1/sessions/${id}/compact`)
    await ask('POST', `/v1/sessions/${id}/undo`)
    await ask('POST', `/v1/sessions/${id}/redo`)
    await ask('PUT', `/v1/sessions/${id}/pins/2`)
    await ask('POST', `/v1/sessions/${id}/redact`, { seq: 3 })
    await ask('PATCH', `/v1/sessions/${id}`, { title: 'last' })
    const received = await eventsUntil(
      await stream('GET', `/v1/sessions/${id}/events?after=0`),
      ({ event, data }) => event === 'settings' && data.title === 'last',
    )
    expectShapes(received, SESSION_EVENTS)
    const ids = received.flatMap(({ id: of }) => (of === undefined ? [] : [Number(of)]))
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, i) => i + 1))
    expect(received.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['session.compacted', 'undone', 'redone', 'pinned', 'redacted']),
    )
  })

  it('a listener continues after the event it saw last, without a gap and without a repetition', async () => {
    const { session, stream, store } = await serverWorld()
    const id = await session({ messages: turns(50) })
    const seen: number[] = []
    let last = ''
    for (let connection = 0; connection < 5; connection++) {
      const headers = { 'last-event-id': last }
      const received = await eventsUntil(
        await stream('GET', `/v1/sessions/${id}/events?after=0`, undefined, { headers }),
        ({ id: of }) => of !== undefined && Number(of) % 20 === 0,
      )
      last = received.at(-1)?.id ?? ''
      seen.push(...received.flatMap(({ id: of }) => (of === undefined ? [] : [Number(of)])))
    }
    expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
    expect((await store.session(id))?.lastSeq).toBe(100)
  })

  it('every message is sent once', async () => {
    const { session, stream } = await serverWorld()
    const id = await session({ messages: turns(3) })
    const received = await eventsUntil(
      await stream('GET', `/v1/sessions/${id}/events?after=0`),
      ({ id: of }) => of === '6',
    )
    expect(received.map(({ event, id: of }) => [event, of])).toEqual(
      [1, 2, 3, 4, 5, 6].map((seq) => ['entry', `${seq}`]),
    )
  })

  it.each(['', '?after=now'])('only new entries are sent at …/events%s', async (query) => {
    const { ask, session, stream } = await serverWorld()
    const id = await session({ messages: turns(5) })
    const events = eventsOf(await stream('GET', `/v1/sessions/${id}/events${query}`))
    const next = events.next()
    await ask('POST', `/v1/sessions/${id}/messages`, { messages: [{ message: { role: 'user', content: 'new' } }] })
    expect((await next).value).toMatchObject({ event: 'entry', data: { seq: 11, entry: { type: 'message' } } })
    await events.return()
  })

  it('the stream of all sessions has those of the token, and no others', async () => {
    const { ask, session, stream } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    const events = eventsOf(await stream('GET', '/v1/events'))
    const received: StreamEvent[] = [(await events.next()).value as StreamEvent]
    const other = await ask('POST', '/v1/sessions', { messages: turns(1) }, { token: TOKENS[2].token })
    await ask('POST', `/v1/sessions/${id}/compact`)
    for await (const event of events) {
      received.push(event)
      if (event.event === 'session.compacted') break
    }
    expectShapes(received, ALL_EVENTS)
    expect(received[0]).toMatchObject({ event: 'ready' })
    expect(received.at(-1)).toMatchObject({ data: { session_id: id } })
    expect(JSON.stringify(received)).not.toContain(other.body.id)
  })

  it('the stream of all sessions continues where it broke off', async () => {
    const { ask, session, stream } = await serverWorld({ brain: () => ({ text: SUMMARY }) })
    const id = await session({ policy: 'agent', messages: turns(10, 400) })
    const first = await stream('GET', '/v1/events')
    const [ready] = await eventsUntil(first, () => true)
    await first.body?.cancel().catch(() => undefined)
    await ask('POST', '/v1/sessions', { messages: turns(1) }, { token: TOKENS[2].token })
    await ask('POST', `/v1/sessions/${id}/compact`)
    await ask('PATCH', `/v1/sessions/${id}`, { title: 'last' })
    const headers = { 'last-event-id': ready?.id ?? '' }
    const again = await stream('GET', '/v1/events', undefined, { headers })
    const received = await eventsUntil(again, ({ data }) => data.session_id === id && data.type === 'settings')
    expectShapes(received, ALL_EVENTS)
    expect(received.map(({ event }) => event)).toContain('session.compacted')
    expect(received.at(-1)).toMatchObject({ event: 'session.changed', data: { session_id: id } })
    // Nothing of another owner's sessions.
    expect(new Set(received.flatMap(({ data }) => data.session_id ?? []))).toEqual(new Set([id]))
  })

  it('the events of a turn have their documented shapes', async () => {
    let step = 0
    const { session, stream } = await serverWorld({
      brain: () =>
        ++step === 1 ? { reasoning: 'hm', calls: [{ name: 'recall', input: { query: 'x' } }] } : { text: 'ok' },
    })
    const id = await session()
    const received = await eventsUntil(await stream('POST', `/v1/sessions/${id}/turn`, { text: 'Hi' }))
    expectShapes(received, TURN_EVENTS)
    expect(received.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['tool.started', 'tool.finished', 'status']),
    )
  })

  it('a token may have a limited number of streams open', async () => {
    const { session, stream } = await serverWorld({ server: { most_streams: 2 } })
    const id = await session()
    const open = [await stream('GET', `/v1/sessions/${id}/events`), await stream('GET', '/v1/events')]
    const refused = await stream('GET', '/v1/events')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    await open[0]?.body?.cancel()
    const again = await stream('GET', '/v1/events')
    expect(again.status).toBe(200)
    for (const one of [open[1], again]) await one?.body?.cancel()
  })
})
