/** How long a provider may say nothing. */
export type Patience = {
  /** Between two pieces of an answer. */
  readonly silenceMs: number
  /** Before the first piece: a long prompt takes long to read, on a local machine above all. */
  readonly firstByteMs: number
}

/** Thrown into a call that its caller gave up. */
export class Aborted extends Error {
  override readonly name = 'Aborted'
}

/** Thrown into a call whose provider fell silent. */
export class Silence extends Error {
  override readonly name = 'Silence'
  readonly afterMs: number

  constructor(afterMs: number) {
    super(`no answer for ${Math.round(afterMs / 1000)} seconds`)
    this.afterMs = afterMs
  }
}

/** Watches one request: it ends when its caller aborts and when no byte comes for too long, never for its length. */
export class Watch {
  readonly #controller = new AbortController()
  readonly #patience: Patience
  readonly #caller: AbortSignal | undefined
  readonly #ended: Promise<never>
  #end: (reason: Error) => void = () => {}
  #timer: NodeJS.Timeout | undefined
  #waiting = false

  constructor(patience: Patience, caller: AbortSignal | undefined) {
    this.#patience = patience
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

  /** The result of some work of the request, unless the watch ends first: what is slow to abort is not waited for. */
  async race<T>(work: PromiseLike<T>): Promise<T> {
    this.#waiting = true
    try {
      return await Promise.race([work, this.#ended])
    } finally {
      this.#waiting = false
    }
  }

  /** A fetch whose every byte is a sign of life. */
  fetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      this.#wait(this.#patience.firstByteMs)
      const response = await fetch(input, init)
      if (response.body === null) return response
      const alive = () => this.#wait(this.#patience.silenceMs)
      const seen = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          alive()
          controller.enqueue(chunk)
        },
      })
      const { status, statusText, headers } = response
      return new Response(response.body.pipeThrough(seen), { status, statusText, headers })
    }
  }

  /** Ends the request if it still runs, and the watch. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#caller?.removeEventListener('abort', this.#onAbort)
    this.#controller.abort()
  }

  readonly #onAbort = () => this.#fail(new Aborted('aborted'))

  #wait(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#controller.signal.aborted) return
    // While nobody waits for more it is the listener that is slow, not the provider.
    this.#timer = setTimeout(() => (this.#waiting ? this.#fail(new Silence(ms)) : this.#wait(ms)), ms)
  }

  #fail(reason: Error): void {
    clearTimeout(this.#timer)
    this.#end(reason)
    this.#controller.abort(reason)
  }
}
