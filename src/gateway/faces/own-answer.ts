import type { JsonObject, Usage } from '../../model/types.ts'

/** An answer that Pith gives instead of the provider. */
export type OwnAnswer = {
  readonly text: string
  /** The model that the client asked. */
  readonly model: string
  /** The tokens that the provider charged for this answer; absent when no model was asked. */
  readonly usage?: Usage
  readonly isStream: boolean
  /** Unique among all answers; the protocol's own prefix is put before it. */
  readonly id: string
  /** In milliseconds. */
  readonly at: number
}

/** A whole HTTP response. */
export type RenderedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A response that is one JSON document. */
export function jsonResponse(document: JsonObject): RenderedAnswer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) }
}

/** The headers of a response of server-sent events. */
export const EVENT_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

/** A response of server-sent events. `named`: the protocol also sends the `type` of each event as its name. */
export function eventResponse(
  events: readonly JsonObject[],
  options: { named?: boolean; end?: string } = {},
): RenderedAnswer {
  const body = events.map((event) => {
    const name = options.named === true ? `event: ${String(event.type)}\n` : ''
    return `${name}data: ${JSON.stringify(event)}\n\n`
  })
  const end = options.end === undefined ? [] : [`data: ${options.end}\n\n`]
  return {
    status: 200,
    headers: EVENT_HEADERS,
    body: [...body, ...end].join(''),
  }
}
