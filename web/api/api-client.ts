import { eventReader, type RawEvent } from '../../src/contract/event-reader.ts'
import type { WireEvent } from '../../src/contract/shapes/wire-events.ts'

/** The answer to a request, or one line that says why there is none. */
export type PageAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: number; readonly message: string }

/** True when the same request would fail again. */
export function isRefusedAnswer(answer: PageAnswer<unknown>): boolean {
  return !answer.ok && answer.status >= 400 && answer.status < 500 && answer.status !== 429
}

export type ApiCall = { method?: string; body?: unknown; signal?: AbortSignal }

export type ApiClient = ReturnType<typeof clientOf>

export type ClientOptions = {
  /** The secret of a link to one session; without it the browser's cookie identifies the caller. */
  readonly token?: string
  /** The server does not know the caller any more. */
  readonly onUnknown?: () => void
}

/** Calls the server of the web inspector. Requests go to its own origin and nowhere else. */
export function clientOf({ token, onUnknown }: ClientOptions = {}) {
  const request = async (path: string, init: RequestInit, headers: Record<string, string>) => {
    const bearer: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(path, {
      ...init,
      headers: { ...bearer, ...headers },
      credentials: token === undefined ? 'same-origin' : 'omit',
      cache: 'no-store',
    })
    if (response.status === 401) onUnknown?.()
    return response
  }
  const send = (path: string, headers: Record<string, string>, { method = 'GET', body, signal }: ApiCall) =>
    request(
      path,
      { method, body: body === undefined ? undefined : JSON.stringify(body), signal },
      { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    )
  return {
    /** Asks for JSON. A failure is returned, never thrown. */
    ask: <T>(path: string, call: ApiCall = {}): Promise<PageAnswer<T>> =>
      answerOf(send(path, { accept: 'application/json' }, call), (response) => response.json() as Promise<T>),
    /** Downloads a file. */
    file: (path: string): Promise<PageAnswer<Blob>> => answerOf(send(path, {}, {}), (response) => response.blob()),
    /** Uploads a file. */
    upload: <T>(path: string, file: Blob): Promise<PageAnswer<T>> => {
      const sent = request(path, { method: 'POST', body: file }, { 'content-type': 'application/x-ndjson' })
      return answerOf(sent, (response) => response.json() as Promise<T>)
    },
    /** Reads an event stream to its end, one event after the other. */
    stream: (
      path: string,
      onEvent: (event: WireEvent) => void,
      call: ApiCall & { lastEventId?: number; onOpen?: () => void } = {},
    ): Promise<PageAnswer<void>> => {
      const resume: Record<string, string> =
        call.lastEventId === undefined ? {} : { 'last-event-id': String(call.lastEventId) }
      return answerOf(send(path, { accept: 'text/event-stream', ...resume }, call), async ({ body }) => {
        call.onOpen?.()
        if (body !== null) await readEvents(body, onEvent)
      })
    },
  }
}

/** The answer in a response; one line instead of an error. */
async function answerOf<T>(sent: Promise<Response>, read: (response: Response) => Promise<T>): Promise<PageAnswer<T>> {
  try {
    const response = await sent
    return response.ok ? { ok: true, value: await read(response) } : await refusal(response)
  } catch (error) {
    return { ok: false, status: 0, message: unreachable(error) }
  }
}

async function readEvents(body: ReadableStream<BufferSource>, onEvent: (event: WireEvent) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  const read = eventReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    for (const event of read(next.value)) onEvent(wireEventOf(event))
  }
}

/** The web inspector comes from the same server, so the data has the shape that the contract gives for the name. */
function wireEventOf({ name, data, id }: RawEvent): WireEvent {
  return { event: name, data: JSON.parse(data), id: id === undefined ? undefined : Number(id) } as WireEvent
}

/** The path of a session's resource, or of the session itself. */
export function sessionPath(id: string, rest = ''): string {
  return `/v1/sessions/${encodeURIComponent(id)}${rest}`
}

async function refusal(response: Response): Promise<PageAnswer<never>> {
  const text = await response.text()
  return { ok: false, status: response.status, message: messageIn(text) ?? `The server answered ${response.status}` }
}

function messageIn(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as { error?: { message?: string } }
    return value.error?.message
  } catch {
    return undefined
  }
}

function unreachable(error: unknown): string {
  return error instanceof DOMException && error.name === 'AbortError' ? 'Cancelled' : 'The server cannot be reached'
}
