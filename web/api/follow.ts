import type { WireEvent } from '../../src/contract/shapes/wire-events.ts'
import { type ApiClient, isRefusedAnswer } from './api-client.ts'

export type FollowOptions = {
  readonly path: string
  readonly onEvent: (event: WireEvent) => void
  /** `true` while the stream is open. A broken stream is opened again after its last id. */
  readonly onLive: (live: boolean) => void
  /** The server refused the stream for good; the message is one line. */
  readonly onRefused: (message: string) => void
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

/** Follows an event stream until the returned function is called, through every disconnect. */
export function follow(client: ApiClient, { path, onEvent, onLive, onRefused }: FollowOptions): () => void {
  const stop = new AbortController()
  void run()
  return () => stop.abort()

  async function run(): Promise<void> {
    let lastEventId: number | undefined
    let waitMs = FIRST_WAIT_MS
    while (!stop.signal.aborted) {
      const answer = await client.stream(
        path,
        (event) => {
          lastEventId = event.id ?? lastEventId
          if (!stop.signal.aborted) onEvent(event)
        },
        {
          signal: stop.signal,
          lastEventId,
          onOpen: () => {
            waitMs = FIRST_WAIT_MS
            onLive(true)
          },
        },
      )
      if (stop.signal.aborted) return
      onLive(false)
      if (!answer.ok && isRefusedAnswer(answer)) return onRefused(answer.message)
      await waitOrOnline(waitMs, stop.signal)
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    }
  }
}

/** Waits for a time, or until the browser is online again. */
function waitOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    signal.addEventListener('abort', done, { once: true })
  })
}
