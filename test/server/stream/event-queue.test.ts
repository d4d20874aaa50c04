import { describe, expect, it } from 'vitest'
import { EventQueue } from '../../../src/server/stream/event-queue.ts'

const LIMIT = 20_000

describe('an event queue', () => {
  it('cuts off a reader that leaves more events waiting than the limit', async () => {
    const queue = new EventQueue<number>()
    for (let i = 1; i <= LIMIT + 10; i++) queue.push(i)
    expect(await read(queue, LIMIT + 10)).toEqual({ events: LIMIT + 1, hasEnded: true })
  })

  it('keeps up to the limit for a reader that is late', async () => {
    const queue = new EventQueue<number>()
    for (let i = 1; i <= LIMIT; i++) queue.push(i)
    expect(await read(queue, LIMIT)).toEqual({ events: LIMIT, hasEnded: false })
  })

  it('counts what waits, not what was read', async () => {
    const queue = new EventQueue<number>()
    const events = queue.events(new AbortController().signal)
    let last: number | undefined
    for (let i = 1; i <= LIMIT + 10; i++) {
      queue.push(i)
      last = (await events.next()).value ?? undefined
    }
    expect(last).toBe(LIMIT + 10)
  })

  it('gives the events that are there to its reader, then ends', async () => {
    const queue = new EventQueue<number>()
    queue.push(1)
    queue.end()
    queue.push(2)
    expect(await read(queue, 2)).toEqual({ events: 1, hasEnded: true })
  })

  it('ends for a reader that goes away while it waits', async () => {
    const queue = new EventQueue<number>()
    const left = new AbortController()
    const next = queue.events(left.signal).next()
    left.abort()
    expect((await next).done).toBe(true)
  })
})

/** Reads until the queue ends or that many events have come. */
async function read(queue: EventQueue<number>, most: number): Promise<{ events: number; hasEnded: boolean }> {
  let events = 0
  for await (const _ of queue.events(new AbortController().signal)) {
    events++
    if (events === most) return { events, hasEnded: false }
  }
  return { events, hasEnded: true }
}
