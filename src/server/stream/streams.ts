import type { WireEvent } from '../../contract/shapes/wire-events.ts'
import { type Caller, HttpError } from '../http/http-error.ts'

const KEEP_ALIVE_MS = 15_000
/** How often the tokens of open streams are checked: a stream ends soon after its token was removed. */
const CHECK_MS = 1_000
const encoder = new TextEncoder()

/** The caller of a stream. */
export type StreamOwner = Pick<Caller, 'owner' | 'isKnown'>

/** The open event streams. Each owner may have `most` of them. A stop of the server closes all of them, and a removed token its own. */
export class Streams {
  readonly #most: number
  readonly #open = new Map<AbortController, StreamOwner>()
  #checking: NodeJS.Timeout | undefined

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#open.size
  }

  closeAll(): void {
    for (const stop of this.#open.keys()) stop.abort()
  }

  /**
   * An answer that streams events, or their bytes, as fast as its reader takes them. The events get a signal that aborts when the
   * reader disconnects or the server stops. A reader that disconnects before the answer began neither reads nor cancels, so
   * only `gone` shows it.
   */
  respond(
    owner: StreamOwner,
    gone: AbortSignal,
    events: (signal: AbortSignal) => AsyncIterable<WireEvent | Uint8Array>,
  ): Response {
    const mine = [...this.#open.values()].filter((each) => each.owner === owner.owner).length
    if (mine >= this.#most)
      throw new HttpError(429, 'too-many-streams', `this token has ${mine} event streams open: close some first`)
    const stop = new AbortController()
    this.#open.set(stop, owner)
    this.#checking ??= setInterval(() => this.#endUnknown(), CHECK_MS).unref()
    const iterator = events(stop.signal)[Symbol.asyncIterator]()
    let timer: NodeJS.Timeout | undefined
    const end = () => {
      clearInterval(timer)
      this.#open.delete(stop)
      stop.abort()
      if (this.#open.size > 0) return
      clearInterval(this.#checking)
      this.#checking = undefined
    }
    gone.addEventListener('abort', end, { once: true })
    if (gone.aborted) end()
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        // A comment at once sends the headers out; more of them keep proxies from closing a silent connection.
        controller.enqueue(encoder.encode(': open\n\n'))
        if (stop.signal.aborted) return
        timer = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': alive\n\n'))
        }, KEEP_ALIVE_MS)
        timer.unref()
        stop.signal.addEventListener('abort', () => clearInterval(timer))
      },
      async pull(controller) {
        try {
          const next = await iterator.next()
          if (next.done === true) {
            end()
            controller.close()
          } else
            controller.enqueue(next.value instanceof Uint8Array ? next.value : encoder.encode(eventText(next.value)))
        } catch {
          end()
          controller.close()
        }
      },
      async cancel() {
        end()
        await iterator.return?.()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' } })
  }

  #endUnknown(): void {
    for (const [stop, owner] of this.#open) if (!owner.isKnown()) stop.abort()
  }
}

/** An event as text. JSON escapes line ends, so the data is one line. */
export function eventText({ event, data, id }: WireEvent): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}
