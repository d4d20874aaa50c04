import { AsyncLocalStorage } from 'node:async_hooks'
import { AbortedError, PageError, SilenceError } from '../failure/model-failure.ts'

/** How long a provider may be silent. */
export type Patience = {
  /** Between two pieces of an answer. */
  readonly silenceMs: number
  /** Before the first piece. Reading a long prompt takes time, especially on a local machine. */
  readonly firstByteMs: number
}

/** Watches one request. It ends the request when the caller aborts, or when no byte arrives for too long. The total time is not limited. */
export class Watch {
  readonly #controller = new AbortController()
  readonly #patience: Patience
  readonly #caller: AbortSignal | undefined
  readonly #ended: Promise<never>
  #end: (reason: Error) => void = () => {}
  #timer: NodeJS.Timeout | undefined
  #waiting = false
  readonly #reads: (() => TransformStream<Uint8Array, Uint8Array>) | undefined

  /** `reads` transforms the bytes of an answer before they are parsed. */
  constructor(
    patience: Patience,
    caller: AbortSignal | undefined,
    reads?: () => TransformStream<Uint8Array, Uint8Array>,
  ) {
    this.#patience = patience
    this.#reads = reads
    this.#caller = caller
    this.#ended = new Promise((_, reject) => {
      this.#end = reject
    })
    this.#ended.catch(() => {})
    if (caller?.aborted === true) this.#onAbort()
    caller?.addEventListener('abort', this.#onAbort, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The result of some work of the request, unless the watch ends first. Work that is slow to abort is not awaited. */
  async race<T>(work: PromiseLike<T>): Promise<T> {
    this.#waiting = true
    try {
      return await Promise.race([work, this.#ended])
    } finally {
      this.#waiting = false
    }
  }

  /** A fetch that counts every byte as a sign of life. */
  fetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      this.#wait(this.#patience.firstByteMs)
      const response = await fetch(input, init)
      if (response.body === null) return response
      const alive = () => this.#wait(this.#patience.silenceMs)
      let isFirst = response.ok
      const seen = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          alive()
          if (isFirst && isPage(chunk)) return controller.error(new PageError())
          isFirst = false
          controller.enqueue(chunk)
        },
      })
      const { status, statusText, headers } = response
      const body = response.body.pipeThrough(seen)
      const read = response.ok && this.#reads !== undefined ? body.pipeThrough(this.#reads()) : body
      return new Response(read, { status, statusText, headers })
    }
  }

  /** Ends the watch, and the request if it still runs. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#caller?.removeEventListener('abort', this.#onAbort)
    this.#controller.abort()
  }

  readonly #onAbort = () => this.#fail(new AbortedError('aborted'))

  #wait(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#controller.signal.aborted) return
    // If nobody waits for the next part, the listener is slow and not the provider.
    this.#timer = setTimeout(() => (this.#waiting ? this.#fail(new SilenceError(ms)) : this.#wait(ms)), ms)
  }

  #fail(reason: Error): void {
    clearTimeout(this.#timer)
    this.#end(reason)
    this.#controller.abort(reason)
  }
}

/** A wrong address, a proxy or a sign-in page answers with HTML. */
function isPage(chunk: Uint8Array): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)\b/i.test(new TextDecoder().decode(chunk.subarray(0, 200)))
}

const watches = new AsyncLocalStorage<Watch>()

/** Runs some work. The watch applies to all requests in it. */
export function inWatch<T>(watch: Watch, work: () => T): T {
  return watches.run(watch, work)
}

/** A fetch for all requests of a model. Each request uses the watch of its own call, so one model can serve all calls. */
export function watchedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => (watches.getStore()?.fetch(fetch) ?? fetch)(input, init)
}
