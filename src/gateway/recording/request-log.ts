import { z } from 'zod'

/** One request as `pith gateway status` shows it. It has no header and no text of the conversation. */
export const requestRecordSchema = z.object({
  at: z.number(),
  upstream: z.string(),
  path: z.string(),
  face: z.enum(['anthropic', 'openai-chat', 'openai-responses', 'gemini']).optional(),
  model: z.string().optional(),
  session: z.string().optional(),
  /** The body that came from the client, the one that went to the provider, and the answer. */
  bytesIn: z.number(),
  bytesOut: z.number(),
  answerBytes: z.number(),
  /** The provider's own counts. */
  inputTokens: z.number().optional(),
  cachedTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  status: z.number().optional(),
  /** The decision about it, and the reason. */
  why: z.string(),
  /** How long the request waited for us before it was sent on. */
  ownMs: z.number(),
})

export type RequestRecord = Readonly<z.infer<typeof requestRecordSchema>>

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
