import type { FaceName, FaceRequest, MessageNote, RequestHead, RequestMessage } from './face.ts'

/** A request that was read, with the parts of it that are not messages. */
export type KnownRequest = { readonly request: FaceRequest; readonly path: string; readonly head: RequestHead }

/** A known request, and how many of its messages another one begins with. */
type NearRequest = { readonly known: KnownRequest; readonly shared: number; readonly isContinued: boolean }

const MOST_REQUESTS = 200
/** The bodies of fifty long sessions and more. */
const MOST_BYTES = 64 * 1024 * 1024
/** Clients move their cache marks, so the last messages may differ although they have no new content. */
const MOVING_MESSAGES = 6

/**
 * The last requests of each conversation, parsed. A cache: saves parsing and hashing the part that a request repeats of the
 * one before it, which is nearly all of it. Dropped when the next request continues it, or when there are too many of them.
 */
export class KnownRequests {
  /** The steps of messages of these requests. They are dropped together with the requests. */
  readonly notes = new WeakMap<RequestMessage, MessageNote>()
  /** The newest last. */
  #known: KnownRequest[] = []
  #bytes = 0

  /** The known request that a body shares the most with. The shared part ends before an answer of the model. */
  nearest(face: FaceName, path: string, body: Buffer): NearRequest | undefined {
    let best: (NearRequest & { readonly bytes: number }) | undefined
    for (const known of this.#known.toReversed()) {
      const { request } = known
      if (request.face !== face || known.path !== path) continue
      const bytes = sharedLength(body, request.body)
      if (bytes <= request.list.start || bytes <= (best?.bytes ?? 0)) continue
      const same = sharedMessages(request, bytes)
      const shared = request.messages.slice(0, same).findLastIndex(({ opensAnswer }) => opensAnswer)
      const isContinued = same > 0 && same >= request.messages.length - MOVING_MESSAGES
      best = { known, bytes, shared: Math.max(0, shared), isContinued }
      if (isContinued) break
    }
    return best
  }

  /** Keeps a request, and drops the one that it continues. */
  keep(read: KnownRequest, near: NearRequest | undefined): void {
    const place = near?.isContinued === true ? this.#known.indexOf(near.known) : -1
    if (place !== -1) this.#drop(place)
    this.#known.push(read)
    this.#bytes += read.request.body.length
    while (this.#known.length > 1 && (this.#known.length > MOST_REQUESTS || this.#bytes > MOST_BYTES)) this.#drop(0)
  }

  #drop(place: number): void {
    for (const { request } of this.#known.splice(place, 1)) this.#bytes -= request.body.length
  }
}

/** How many whole messages are in the first bytes of a request. */
function sharedMessages({ messages }: FaceRequest, bytes: number): number {
  let [from, end] = [0, messages.length]
  while (from < end) {
    const middle = (from + end) >> 1
    if ((messages[middle]?.end ?? 0) < bytes) from = middle + 1
    else end = middle
  }
  return from
}

/** How many bytes two bodies have in common from their beginning on. */
export function sharedLength(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length)
  const isSame = (from: number, to: number) => a.compare(b, from, to, from, to) === 0
  // Bodies of other conversations differ early, so the first comparisons are short.
  let [same, step] = [0, 1024]
  while (same < most && isSame(same, Math.min(same + step, most))) {
    same = Math.min(same + step, most)
    step *= 4
  }
  let end = Math.min(same + step, most)
  while (same < end) {
    const middle = (same + end + 1) >> 1
    if (isSame(same, middle)) same = middle
    else end = middle - 1
  }
  return same
}
