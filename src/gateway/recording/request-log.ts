import type { FaceName } from '../faces/face.ts'

/** One request as `pith gateway status` shows it. It has no header and no text of the conversation. */
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
  /** The decision about it, and the reason. */
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

  /** The count of all requests so far, and the last ones. */
  report(): { readonly requests: number; readonly records: readonly RequestRecord[] } {
    return { requests: this.#count, records: this.#records }
  }
}
