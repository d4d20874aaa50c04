import { z } from 'zod'
import { PithError } from '../../model/errors.ts'

/** A server and the token that it knows us by. */
export type RemoteServer = { readonly url: string; readonly token: string }

/** One event of a stream, its data in our own spelling. */
export type RemoteEvent = { readonly event: string; readonly id?: number; readonly data: Record<string, unknown> }

/** What the server refused, in its own words. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const errorSchema = z.object({ error: z.object({ message: z.string() }) })

/** Calls a server. Answers are in our own spelling, messages as they are. */
export class RemoteClient {
  readonly #server: RemoteServer

  constructor({ url, token }: RemoteServer) {
    // The page's address has the token in its fragment: what was printed may be given as it is.
    this.#server = { url: url.replace(/#.*$/, '').replace(/\/+$/, ''), token }
  }

  /** The answer to one request, as the schema says it is. */
  async ask<T>(schema: z.ZodType<T>, method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const response = await this.#send(method, path, { body, accept: 'application/json', signal })
    return schema.parse(fromWire(await response.json()))
  }

  /** The answer as text. */
  async text(path: string): Promise<string> {
    return (await this.#send('GET', path, { accept: '*/*' })).text()
  }

  /** The events that answer a request, until they end or the signal aborts. */
  async *events(method: string, path: string, body?: unknown, signal?: AbortSignal): AsyncGenerator<RemoteEvent, void> {
    const { body: stream } = await this.#send(method, path, { body, accept: 'text/event-stream', signal })
    if (stream === null) return
    let text = ''
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventIn(block)
        if (event !== undefined) yield event
      }
    }
  }

  async #send(
    method: string,
    path: string,
    { body, accept, signal }: { body?: unknown; accept: string; signal?: AbortSignal | undefined },
  ): Promise<Response> {
    const { url, token } = this.#server
    const headers = {
      authorization: `Bearer ${token}`,
      accept,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const init = { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fetch(`${url}${path}`, init as RequestInit).catch((error: unknown) => {
      if (signal?.aborted === true) throw error
      throw new PithError('bad-argument', `the server at ${url} cannot be reached: check the address, and that it runs`)
    })
    if (response.ok) return response
    const refused = errorSchema.safeParse(await response.json().catch(() => undefined))
    const why = refused.success ? refused.data.error.message : `it answered ${response.status}`
    throw response.status === 401 || response.status === 403
      ? new PithError('not-allowed', `the server at ${url} refuses: ${why}`)
      : new Refused(response.status, why)
  }
}

function eventIn(block: string): RemoteEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  const id = fields.get('id')
  return {
    event: fields.get('event') ?? '',
    ...(id === undefined ? {} : { id: Number(id) }),
    data: fromWire(JSON.parse(data)) as Record<string, unknown>,
  }
}

/** Keys whose value is somebody else's: the AI SDK's messages, and the arguments of tools. */
const AS_THEY_ARE: ReadonlySet<string> = new Set(['message', 'messages', 'kept', 'input'])

function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      AS_THEY_ARE.has(key) ? inner : fromWire(inner),
    ]),
  )
}
