import { eventReader } from '../contract/event-reader.ts'
import { type ApiOperations, OPERATIONS } from './operations.ts'

/** Where the server is, and who calls it. */
export type PithClientOptions = {
  /** As `pith serve` prints it: `http://127.0.0.1:7484`. */
  readonly url: string
  /** A token of `pith serve token add`; a page of the server itself has a cookie in its place. */
  readonly token?: string
  /** Sends the requests; by default the `fetch` of the platform. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** Ends a request, or a stream of events, before its end. */
export type PithCallOptions = { readonly signal?: AbortSignal }

/** One method for each route of the HTTP API, named as in its document. One that streams gives its events one by one. */
export type PithClient = {
  readonly [N in keyof ApiOperations]: ApiOperations[N]['input'] extends infer Input
    ? Partial<Input> extends Input
      ? (input?: Input, options?: PithCallOptions) => ApiOperations[N]['output']
      : (input: Input, options?: PithCallOptions) => ApiOperations[N]['output']
    : never
}

/**
 * A client for a server of `pith serve`. It depends on nothing but `fetch`: Node, browsers, workers. What the server refuses is thrown
 * as a `PithHttpError`.
 *
 * @example
 * ```ts no-run
 * import { pithClient } from 'pith/client'
 *
 * const pith = pithClient({ url: 'http://127.0.0.1:7484', token: 'TOKEN' })
 * const { id } = await pith.createSession({ body: { title: 'The login' } })
 * await pith.appendMessages({ id, body: { messages: [{ message: { role: 'user', content: 'Why does it hang?' } }] } })
 * const { status } = await pith.getContext({ id })
 * console.log(status.tokens)
 * ```
 */
export function pithClient({ url, token, fetch = globalThis.fetch }: PithClientOptions): PithClient {
  const send = async (operation: Operation, input: Input, { signal }: PithCallOptions, accept: string) => {
    const { type } = operation
    const { body } = input
    const headers: Record<string, string> = { accept, ...headersOf(operation, input) }
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    if (type !== undefined && body !== undefined) headers['content-type'] = type
    const response = await fetch(addressOf(url, operation, input), {
      method: operation.method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal,
    })
    if (!response.ok) throw await PithHttpError.of(response)
    return response
  }
  const calls: Readonly<Record<Operation['answer'], (operation: Operation) => Call>> = {
    json: (operation) => async (input, options) =>
      (await send(operation, input ?? {}, options ?? {}, 'application/json')).json(),
    text: (operation) => async (input, options) => (await send(operation, input ?? {}, options ?? {}, '*/*')).text(),
    events: (operation) => (input, options) =>
      eventsOf(() => send(operation, input ?? {}, options ?? {}, 'text/event-stream')),
  }
  const methods = Object.entries(OPERATIONS).map(([name, operation]) => [name, calls[operation.answer](operation)])
  // The types and the table are made of the same document.
  return Object.fromEntries(methods) as PithClient
}

type Operation = {
  readonly method: string
  readonly path: string
  readonly answer: 'json' | 'text' | 'events'
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}
type Input = Readonly<Record<string, unknown>>
type Call = (input?: Input, options?: PithCallOptions) => unknown

function addressOf(url: string, { path }: Operation, input: Input): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) search.set(name, String(value))
  return `${url.replace(/\/+$/, '')}${filled}${search.size === 0 ? '' : `?${search}`}`
}

function headersOf({ headers = {} }: Operation, input: Input): Record<string, string> {
  const given = Object.entries(headers).filter(([name]) => input[name] !== undefined)
  return Object.fromEntries(given.map(([name, header]) => [header, String(input[name])]))
}

/** The request is made when the first event is asked for. Who stops reading ends it. */
async function* eventsOf(open: () => Promise<Response>): AsyncGenerator<unknown, void> {
  const { body } = await open()
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  const read = eventReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      for (const { name, data, id } of read(next.value)) {
        yield { event: name, data: JSON.parse(data), ...(id === undefined ? {} : { id: Number(id) }) }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** A request that the server refused. The message is one line: what is wrong, where, what to do. */
export class PithHttpError extends Error {
  readonly status: number
  /** Such as `unknown-session`; the docs of the HTTP API list them. */
  readonly code: string
  readonly requestId?: string

  constructor(status: number, code: string, message: string, requestId?: string) {
    super(message)
    this.name = 'PithHttpError'
    this.status = status
    this.code = code
    if (requestId !== undefined) this.requestId = requestId
  }

  /** The refusal in an answer. A proxy on the way may answer in its own words. */
  static async of(response: Response): Promise<PithHttpError> {
    const text = await response.text().catch(() => '')
    const { code, message, request_id } = refusalIn(text)
    return new PithHttpError(
      response.status,
      code ?? 'no-pith-server',
      message ?? `the server answered ${response.status}`,
      request_id,
    )
  }
}

type Refusal = { readonly code?: string; readonly message?: string; readonly request_id?: string }

function refusalIn(text: string): Refusal {
  try {
    const answer = JSON.parse(text) as { error?: Refusal } | null
    return answer?.error ?? {}
  } catch {
    return {}
  }
}
