import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { clientOf } from '../../../web/api/api-client.ts'
import { LogPages } from '../../../web/state/log-pages.ts'
import { SessionFeed, type SessionSnapshot } from '../../../web/state/session-feed.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a history that could not be loaded is asked for again', async () => {
  const { shown, histories } = await startedFeed()
  histories[0]?.(new Response('{}', { status: 503 }))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(histories).toHaveLength(2)
  histories[1]?.(historyTo(7))
  await vi.waitFor(() => expect(shown().data?.history).toMatchObject({ window: 7 }))
})

it('a history that is refused says why, and is not asked for again', async () => {
  const { shown, histories } = await startedFeed()
  histories[0]?.(new Response('{"error":{"message":"Not yours"}}', { status: 403 }))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(histories).toHaveLength(1)
  expect(shown().error).toBe('Not yours')
})

it('histories are asked for one at a time, and the newest is shown', async () => {
  const { shown, histories, tell } = await startedFeed()
  for (const seq of [2, 3]) {
    tell(seq)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(histories).toHaveLength(1)
  histories[0]?.(historyTo(1))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(histories).toHaveLength(2)
  histories[1]?.(historyTo(2))
  await vi.waitFor(() => expect(shown().data?.history).toMatchObject({ window: 2 }))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(histories).toHaveLength(2)
})

it('a session whose server cannot be reached is asked for again until it is there', async () => {
  let isUp = false
  const { feed, shown } = feedOf(async (path) => {
    if (!isUp) throw new TypeError('fetch failed')
    if (path.includes('/events')) return new Response(new ReadableStream())
    if (path.includes('/history')) return historyTo(1)
    return detailTo(1)
  })
  await feed.start()
  expect(shown().error).toBe('The server cannot be reached')
  isUp = true
  await vi.advanceTimersByTimeAsync(2_000)
  await vi.waitFor(() => expect(shown().data?.detail.last_seq).toBe(1))
  expect(shown().error).toBeUndefined()
})

it('a session that is not there is asked for once', async () => {
  let asked = 0
  const { feed, shown } = feedOf(async () => {
    asked++
    return new Response('{}', { status: 404 })
  })
  await feed.start()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked).toBe(1)
  expect(shown().error).toContain('There is no such session here')
})

type Answer = (response: Response) => void

/** A feed whose requests are answered at once, except those for the history, and which gets a change by `tell`. */
async function startedFeed() {
  const histories: Answer[] = []
  let events: ReadableStreamDefaultController<Uint8Array> | undefined
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      events = controller
    },
  })
  let revision = 0
  const { feed, shown } = feedOf(async (path) => {
    if (path.includes('/history')) return new Promise<Response>((resolve) => histories.push(resolve))
    return path.includes('/events') ? new Response(stream) : detailTo(revision)
  })
  await feed.start()
  await vi.waitFor(() => expect(histories).toHaveLength(1))
  const tell = (seq: number) => {
    revision = seq
    const data = JSON.stringify({ seq, entry: { type: 'mask' } })
    events?.enqueue(new TextEncoder().encode(`event: entry\nid: ${seq}\ndata: ${data}\n\n`))
  }
  return { shown, histories, tell }
}

/** A feed whose requests are answered by `fetch`. */
function feedOf(fetch: (path: string) => Promise<Response>) {
  vi.stubGlobal('fetch', fetch)
  let snapshot: SessionSnapshot = { lastSeq: 0, version: 0, redactions: 0, live: false }
  const log = new LogPages(
    async () => [],
    () => {},
  )
  const feed = new SessionFeed(clientOf(), 's', log, (update) => {
    snapshot = update(snapshot)
  })
  onTestFinished(() => feed.stop())
  return { feed, shown: () => snapshot }
}

function detailTo(revision: number): Response {
  const detail = { last_seq: revision, revision, updated_at: 0 }
  return Response.json({ ...detail, status: { tokens: 0 }, parts: {}, compactions: [] })
}

function historyTo(window: number): Response {
  return Response.json({ points: [], marks: [], window })
}
