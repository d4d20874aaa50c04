import type { JsonObject } from '../../model/types.ts'
import type { RenderedAnswer } from './own-answer.ts'

/** A response that is one JSON document. */
export function jsonResponse(document: JsonObject): RenderedAnswer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) }
}

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
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    body: [...body, ...end].join(''),
  }
}
