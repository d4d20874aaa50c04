import type { z } from 'zod'
import { eventReader, type RawEvent } from '../../contract/event-reader.ts'
import { type AnswerSchema, answerSchemaOf, type RequestSchema, type Route } from '../../contract/routes/route.ts'
import { wireErrorSchema } from '../../contract/shapes/shapes.ts'
import { EVENTS, type WireEvent } from '../../contract/shapes/wire-events.ts'
import { PithError } from '../../model/problems/errors.ts'
import { issueText, problemOf } from '../../model/problems/parse.ts'

/** A server and our token for it. */
export type RemoteServer = { readonly url: string; readonly token: string }

/** The server refused a request. The message is the server's own. */
export class RefusalError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type LooseCall = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** The arguments of a call. */
export type RemoteCall<R extends Route> = LooseCall & CallPart<R, 'params'> & Partial<CallPart<R, 'query'>>

type CallPart<R extends Route, Part extends string> = [RequestSchema<R, Part>] extends [never]
  ? unknown
  : { readonly [P in Part]: z.input<RequestSchema<R, Part>> }

/** Calls the routes of a server and checks the answers against the contract. */
export class RemoteClient {
  readonly #server: RemoteServer

  constructor({ url, token }: RemoteServer) {
    // `pith serve` prints the address with the token in its fragment, and users may paste all of it.
    this.#server = { url: url.replace(/#.*$/, '').replace(/\/+$/, ''), token }
  }

  /** The answer of a route in JSON. */
  async ask<R extends Route>(route: R, call: RemoteCall<R>): Promise<z.output<AnswerSchema<R>>> {
    const response = await this.#send(route, call, 'application/json')
    const answer: unknown = await response.json().catch((error: unknown) => {
      if (!(error instanceof SyntaxError)) throw error
      throw new PithError('bad-argument', `the program at ${this.#server.url} is not a Pith server: check the address`)
    })
    return this.#checked(answerSchemaOf(route), answer)
  }

  /** The answer of a route as text. */
  async text<R extends Route>(route: R, call: RemoteCall<R>): Promise<string> {
    return (await this.#send(route, call, '*/*')).text()
  }

  /** The events that answer a call, until they end or the signal aborts. Unknown events are left out. */
  async *events<R extends Route>(route: R, call: RemoteCall<R>): AsyncGenerator<WireEvent, void> {
    const { body } = await this.#send(route, call, 'text/event-stream')
    if (body === null) return
    const read = eventReader()
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      for (const raw of read(piece)) {
        const event = this.#eventOf(raw)
        if (event !== undefined) yield event
      }
    }
  }

  async #send(route: Route, { params, query, body, signal }: LooseCall, accept: string): Promise<Response> {
    const { url, token } = this.#server
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch(`${url}${pathOf(route.path, params, query)}`, {
      method: route.method.toUpperCase(),
      headers: { authorization: `Bearer ${token}`, accept, ...type },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    }).catch((error: unknown) => {
      if (signal?.aborted === true) throw error
      throw new PithError('bad-argument', `the server at ${url} cannot be reached: check the address, and that it runs`)
    })
    if (response.ok) return response
    const refusal = wireErrorSchema.safeParse(await response.json().catch(() => undefined))
    const why = refusal.success ? refusal.data.error.message : `it answered ${response.status}`
    throw response.status === 401 || response.status === 403
      ? new PithError('not-allowed', `the server at ${url} refuses: ${why}`)
      : new RefusalError(response.status, why)
  }

  #eventOf({ name, data, id }: RawEvent): WireEvent | undefined {
    if (!Object.hasOwn(EVENTS, name)) return undefined
    const event = name as keyof typeof EVENTS
    const checked = this.#checked<z.ZodType>(EVENTS[event], JSON.parse(data))
    // The schema of this name has checked the data.
    return { event, data: checked, id: id === undefined ? undefined : Number(id) } as WireEvent
  }

  /** Checks an answer. Unknown enum values are accepted, because a newer server may have added them. */
  #checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
    const result = schema.safeParse(value, { error: issueText })
    if (result.success) return result.data
    if (result.error.issues.every(({ code }) => code === 'invalid_value')) return value as z.output<S>
    const { path, text } = problemOf(result.error)
    const where = path.length === 0 ? 'it' : path.map(String).join('.')
    throw new PithError(
      'bad-argument',
      `the server at ${this.#server.url} sent an answer that this version cannot read (${where} ${text}): update the older one of the two`,
    )
  }
}

function pathOf(path: string, params: LooseCall['params'] = {}, query: LooseCall['query'] = {}): string {
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return search.size === 0 ? place : `${place}?${search}`
}
