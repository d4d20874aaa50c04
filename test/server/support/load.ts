import { randomFrom } from '../../support/model-server/random.ts'

export type LoadOptions = {
  /** Where servers are now; one that is gone is not asked. */
  readonly urls: () => readonly string[]
  readonly token: string
  readonly sessions: number
  /** Requests of each session, one after the other. */
  readonly requests: number
  readonly seed?: number
  /** Called after every entry that was acknowledged. */
  readonly onAcknowledged?: (count: number) => void
}

export type Acknowledged = { readonly session: string; readonly seq: number; readonly text: string }

export type LoadResult = {
  readonly seconds: number
  readonly latencies: Readonly<Record<Kind, readonly number[]>>
  /** Answers that a client does not expect: none of them should be. */
  readonly errors: readonly string[]
  /** Requests that had to be sent again because their server went away. */
  readonly retries: number
  readonly acknowledged: readonly Acknowledged[]
  readonly sessions: readonly string[]
}

export type Kind = 'append' | 'context' | 'compact'

const LONGEST_MS = 60_000

/** Many sessions at once: appends with a key, context queries, a compaction now and then. A key is sent until it is answered. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const load = new Load(options)
  const sessions = await Promise.all(Array.from({ length: options.sessions }, (_, i) => load.create(i)))
  const started = performance.now()
  await Promise.all(sessions.map((session, i) => load.talk(session, i)))
  const { latencies, errors, retries, acknowledged } = load
  return { seconds: (performance.now() - started) / 1_000, latencies, errors, retries, acknowledged, sessions }
}

class Load {
  readonly #options: LoadOptions
  readonly latencies: Record<Kind, number[]> = { append: [], context: [], compact: [] }
  readonly errors: string[] = []
  readonly acknowledged: Acknowledged[] = []
  retries = 0
  #next = 0

  constructor(options: LoadOptions) {
    this.#options = options
  }

  async create(number: number): Promise<string> {
    const policy = { preset: 'pith', mode: 'auto', token_limit: 8_000 }
    const made = await this.#send('POST', '/v1/sessions', { title: `load ${number}`, policy }, `create-${number}`)
    return String(made.id)
  }

  async talk(session: string, number: number): Promise<void> {
    const random = randomFrom((this.#options.seed ?? 1) * 1_000 + number)
    for (let i = 0; i < this.#options.requests; i++) {
      const dice = random()
      if (dice < 0.7) await this.#append(session, `${number}-${i}`, i % 2 === 0 ? 'user' : 'assistant')
      else if (dice < 0.97) await this.#timed('context', () => this.#send('GET', `/v1/sessions/${session}/context`))
      else await this.#timed('compact', () => this.#send('POST', `/v1/sessions/${session}/compact`, {}))
    }
  }

  async #append(session: string, name: string, role: 'user' | 'assistant'): Promise<void> {
    const text = `message ${name} ${'what was said, in some words. '.repeat(10)}`
    const body = { messages: [{ message: { role, content: text } }] }
    const answer = await this.#timed('append', () => this.#send('POST', `/v1/sessions/${session}/messages`, body, name))
    const [seq] = (answer.seqs ?? []) as number[]
    if (seq === undefined) return
    this.acknowledged.push({ session, seq, text })
    this.#options.onAcknowledged?.(this.acknowledged.length)
  }

  async #timed<T>(kind: Kind, act: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const result = await act()
    this.latencies[kind].push(performance.now() - started)
    return result
  }

  async #send(method: string, path: string, body?: unknown, key?: string): Promise<Record<string, unknown>> {
    const until = Date.now() + LONGEST_MS
    for (;;) {
      const urls = this.#options.urls()
      const url = urls[this.#next++ % Math.max(1, urls.length)]
      const answer = url === undefined ? undefined : await this.#try(`${url}${path}`, method, body, key)
      if (answer !== undefined) return answer
      if (Date.now() > until) {
        this.errors.push(`${method} ${path}: no answer`)
        return {}
      }
      this.retries++
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** The answer, or nothing when the server went away or is stopping. */
  async #try(
    url: string,
    method: string,
    body: unknown,
    key: string | undefined,
  ): Promise<Record<string, unknown> | undefined> {
    try {
      const response = await fetch(url, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          authorization: `Bearer ${this.#options.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
      })
      const text = await response.text()
      if (response.status === 503) return undefined
      // A compaction of a process that was killed holds the session for a moment.
      const isExpected = response.ok || (response.status === 409 && url.endsWith('/compact'))
      if (!isExpected) this.errors.push(`${method} ${url}: ${response.status} ${text.slice(0, 200)}`)
      return JSON.parse(text) as Record<string, unknown>
    } catch {
      return undefined
    }
  }
}

/** The faults in the logs after a load: acknowledged entries that are not there, and texts that are there twice. */
export async function lostEntries(
  { acknowledged, sessions }: LoadResult,
  entriesOf: (session: string) => Promise<readonly { seq: number; text: string }[]>,
): Promise<string[]> {
  const problems: string[] = []
  for (const session of sessions) {
    const log = new Map((await entriesOf(session)).map(({ seq, text }) => [seq, text]))
    const texts = [...log.values()]
    if (new Set(texts).size !== texts.length) problems.push(`${session}: something is there twice`)
    for (const { seq, text } of acknowledged.filter((each) => each.session === session))
      if (log.get(seq) !== text) problems.push(`${session} #${seq}: not what was acknowledged`)
  }
  return problems
}
