import type { WireEvent } from '../../contract/shapes/wire-events.ts'
import type { Seq } from '../../model/types.ts'
import { EventQueue } from './event-queue.ts'
import { eventText } from './streams.ts'

/** An event as it goes out, and its place in the log of a session. */
export type FeedEvent = { readonly seq?: Seq; readonly bytes: Uint8Array }

/** The events after an entry, until the signal aborts. Those of several sessions have no place. */
export type FeedSource = (signal: AbortSignal) => AsyncIterable<{ readonly seq?: Seq; readonly event: WireEvent }>

/** The most bytes of events that may wait for one listener. One that does not read costs this, then it is disconnected. */
export const MOST_WAITING_BYTES = 256 * 1_024

const encoder = new TextEncoder()

/** Events that several listeners get. They are read and encoded once, and each listener waits for them in a queue of its own. */
export class Feeds {
  readonly #open = new Map<string, Feed>()

  /**
   * Joins a feed, or begins it after `position`. A listener that leaves too much waiting is cut off, and `hangUp` is called.
   * Returns the place up to which the feed has sent its events before, and the queue of those after it.
   */
  join(key: string, { position, source }: NewFeed, hangUp: () => void): JoinedFeed {
    const queue = new EventQueue<FeedEvent>({
      most: MOST_WAITING_BYTES,
      sizeOf: ({ bytes }) => bytes.length,
      onFull: hangUp,
    })
    const feed = this.#open.get(key) ?? this.#begin(key, { position, source })
    feed.queues.add(queue)
    const leave = () => {
      feed.queues.delete(queue)
      queue.end()
      if (feed.queues.size > 0) return
      feed.stop.abort()
      if (this.#open.get(key) === feed) this.#open.delete(key)
    }
    return { position: feed.position, queue, leave }
  }

  #begin(key: string, { position, source }: NewFeed): Feed {
    const feed: Feed = { position, queues: new Set(), stop: new AbortController() }
    this.#open.set(key, feed)
    const ended = () => {
      for (const queue of feed.queues) queue.end()
      if (this.#open.get(key) === feed) this.#open.delete(key)
    }
    // When the store fails, all listeners end and come back.
    run(feed, source).then(ended, ended)
    return feed
  }
}

type NewFeed = { readonly position: Seq; readonly source: FeedSource }

type Feed = { position: Seq; readonly queues: Set<EventQueue<FeedEvent>>; readonly stop: AbortController }

type JoinedFeed = { readonly position: Seq; readonly queue: EventQueue<FeedEvent>; readonly leave: () => void }

async function run(feed: Feed, source: FeedSource): Promise<void> {
  for await (const { seq, event } of source(feed.stop.signal)) {
    if (seq !== undefined) feed.position = Math.max(feed.position, seq)
    const sent = { seq, bytes: encoder.encode(eventText(event)) }
    for (const queue of feed.queues) queue.push(sent)
  }
}
