import type { FaceName } from '../faces/face.ts'

/** One request as `pith gateway status` tells it. It has no header and no text of the conversation. */
export type RequestRecord = {
  readonly at: number
  readonly upstream: string
  readonly path: string
  readonly face?: FaceName
  readonly model?: string
  readonly session?: string
  /** The body that came from the client, the one that went to the provider, and the answer. */
  readonly bytesIn: number
  readonly bytesOut: number
  readonly answerBytes: number
  /** The provider's own counts. */
  readonly inputTokens?: number
  readonly cachedTokens?: number
  readonly outputTokens?: number
  readonly status?: number
  /** What was done with it, and why. */
  readonly why: string
  /** How long the request waited for us before it was sent on. */
  readonly ownMs: number
}

const MOST_RECORDS = 500

/** The last requests, in memory. */
export class RequestLog {
  #records: RequestRecord[] = []
  #count = 0

  add(record: RequestRecord): void {
    this.#count++
    this.#records = [...this.#records.slice(1 - MOST_RECORDS), record]
  }

  /** All requests so far are counted; the last ones are told. */
  report(): { readonly requests: number; readonly records: readonly RequestRecord[] } {
    return { requests: this.#count, records: this.#records }
  }
}
