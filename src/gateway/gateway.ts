import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { providerReductionText } from '../engine/report/provider-context-text.ts'
import { scrub } from '../llm/failure/failure.ts'
import { messageOf, PithError } from '../model/problems/errors.ts'
import { type GatewayAccess, routeOf } from './access.ts'
import { type BillDeps, Charges } from './charges.ts'
import { ClientExchange, type ExchangeFacts } from './client-exchange.ts'
import { KnownRequests } from './faces/known-requests.ts'
import { EVENT_HEADERS } from './faces/own-answer.ts'
import type { Decision, Mode, SecondTry } from './modes/mode.ts'
import { RequestLog, type RequestRecord } from './recording/request-log.ts'
import { type RecorderDeps, SessionRecorder } from './recording/session-recorder.ts'
import { WorkQueue } from './recording/work-queue.ts'
import { lookForRefusal } from './upstream/look-for-refusal.ts'
import { MOST_HEADER_BYTES, type PassedResponse, passOn } from './upstream/pass-on.ts'
import { decodedBody, readBody } from './upstream/read-body.ts'
import { isProvidersOwn } from './upstream/upstream.ts'

export type GatewayDeps = GatewayAccess &
  RecorderDeps & {
    readonly mode: Mode
    readonly clock: () => number
    readonly bill?: BillDeps
    /** Gets each request with its answer, as `requests` shows it. */
    readonly onRequest?: (record: RequestRecord) => void
    /** One line about something that went wrong. It has no secret. */
    readonly log?: (line: string) => void
    /** Larger bodies are passed on unread. */
    readonly readLimitBytes?: number
    /** How long a request waits for the mode before it is forwarded as it is. */
    readonly patienceMs?: number
    /** The time between two signs of life for a client that waits for an answer of ours. */
    readonly signMs?: number
  }

/** The status that a client gets when the provider cannot be reached. */
const UNREACHED = 502
const BROKEN_OFF = 'broken off'
const READ_LIMIT_BYTES = 48 * 1024 * 1024
/** Longer than a summary may take by default: the modes have limits of their own. */
const PATIENCE_MS = 280_000
const SIGN_MS = 10_000

/** The gateway between clients and providers. It reads a request, lets the mode decide and sends it; recording happens meanwhile. */
export class Gateway {
  readonly #requests = new RequestLog()
  readonly #queue = new WorkQueue()
  readonly #deps: GatewayDeps
  readonly #log: (line: string) => void
  readonly #recorder: SessionRecorder
  readonly #known = new KnownRequests()
  /** The answers that are being passed on. */
  readonly #passing = new Set<Promise<void>>()
  readonly #charges: Charges | undefined
  /** The faults that are in the log already. */
  readonly #loggedFaults = new WeakSet<object>()

  constructor(deps: GatewayDeps) {
    this.#deps = deps
    this.#log = deps.log ?? (() => undefined)
    this.#recorder = new SessionRecorder(deps)
    this.#charges = deps.bill && new Charges(deps.bill)
  }

  /** The last requests. */
  requests(): readonly RequestRecord[] {
    return this.#requests.report().records
  }

  #status() {
    const { mode, upstreams } = this.#deps
    const ownAddresses = upstreams.filter(isProvidersOwn).map(({ name }) => name)
    return { mode: mode.name, ownAddresses, ...this.#requests.report() }
  }

  /** Resolves when every request so far is recorded. Called when all clients have gone. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#passing)
    await this.#queue.idle()
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = routeOf(request, this.#deps)
    if (route === undefined) return sendJson(response, 404, { error: { message: 'There is nothing here' } })
    if (route.kind === 'status') return sendJson(response, 200, this.#status())
    // A websocket cannot be read as requests. On this status Codex switches to HTTP at once.
    if (request.headers.upgrade !== undefined) {
      response.shouldKeepAlive = false
      return sendJson(response, 426, { error: { message: 'Websockets are not passed on: speak HTTP' } })
    }
    const gone = new AbortController()
    const decided = new AbortController()
    response.once('close', () => gone.abort())
    try {
      const body = await readBody(request, this.#deps.readLimitBytes ?? READ_LIMIT_BYTES)
      const exchange = new ClientExchange({
        ...route,
        request,
        body,
        recorder: this.#recorder,
        queue: this.#queue,
        known: this.#known,
        signal: gone.signal,
        keepAlive: (sign) =>
          keepAlive(response, sign, { everyMs: this.#deps.signMs ?? SIGN_MS, until: decided.signal }),
        onAsked: (asking, model, usage) =>
          this.#charge((charges) => charges.addAsked(asking, model, usage, this.#deps.clock())),
      })
      const start = performance.now()
      const decision = await this.#decide(exchange, gone.signal)
      decided.abort()
      const ownMs = performance.now() - start
      const noted = { at: this.#deps.clock(), ownMs }
      if (decision.kind === 'answer') {
        if (!response.headersSent) response.writeHead(decision.status, decision.headers)
        response.end(decision.body)
        await this.#noteAnswer(exchange, { ...noted, decision })
      } else {
        await this.#forward(exchange, response, { ...noted, decision }, gone.signal)
      }
    } catch (error) {
      if (gone.signal.aborted) return
      const why = `Pith cannot reach ${route.upstream.name}: ${reasonOf(error)}`
      this.#log(why)
      if (response.headersSent) response.destroy()
      else sendJson(response, UNREACHED, { error: { type: 'upstream_unreachable', message: why } })
    }
  }

  /** The choice of the mode; the client's own bytes when it fails or takes too long. */
  async #decide(exchange: ClientExchange, gone: AbortSignal): Promise<Decision> {
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), this.#deps.patienceMs ?? PATIENCE_MS)
    timer.unref()
    try {
      return await Promise.race([
        this.#deps.mode.decide(exchange, AbortSignal.any([gone, patience.signal])),
        rejection(patience.signal),
      ])
    } catch (error) {
      const why = `forwarded as it is: ${reasonOf(error)}`
      if (!gone.aborted) this.#log(why)
      return { kind: 'forward', why }
    } finally {
      // A running timer would keep the request's body in memory.
      clearTimeout(timer)
    }
  }

  async #forward(
    exchange: ClientExchange,
    response: ServerResponse,
    noted: DecisionNote<Forward>,
    gone: AbortSignal,
  ): Promise<void> {
    const { decision } = noted
    const provider = new AbortController()
    const stop = () => provider.abort()
    gone.addEventListener('abort', stop)
    const { answer, again } = await this.#answer(exchange, decision, {
      signal: provider.signal,
      hasBegun: response.headersSent,
    }).catch((error: unknown) => {
      const status = response.headersSent ? response.statusCode : UNREACHED
      const end = gone.aborted ? { why: BROKEN_OFF } : { why: 'the provider could not be reached', status }
      void this.#noteFailed(exchange, noted, end)
      throw error
    })
    // A client that leaves from now on may have its whole answer.
    gone.removeEventListener('abort', stop)
    const { statusCode: status = 0 } = answer
    const { recorded, ...made } = { ...decision, ...again }
    const noteWith = (outcome: ExchangeFacts & SentAnswer, end?: string) => {
      const why = end === undefined ? made.why : `${made.why}, ${end}`
      this.#note(exchange, { ...noted, decision: { ...made, why } }, outcome)
    }
    const passing = passOn(answer, response, {
      stop,
      isLast: exchange.endWatch(answer),
      wantsRest: (bytes) => exchange.misses(answer, bytes),
      onEnd: (heard) => {
        const sent = { status, answerBytes: heard.bytes?.length }
        exchange
          .recordAnswer(answer, heard)
          .then(
            (outcome) => noteWith({ ...outcome, ...sent }, outcome.isCut === true ? BROKEN_OFF : undefined),
            (error: unknown) => {
              this.#unrecorded(error)
              noteWith(sent, `not recorded: ${reasonOf(error)}`)
            },
          )
          .then(() => recorded?.())
          .catch((error: unknown) => this.#log(`not prepared: ${reasonOf(error)}`))
      },
    })
    this.#passing.add(passing)
    await passing.finally(() => this.#passing.delete(passing))
  }

  /** Sends a request and waits for the head of the answer. */
  async #answer(
    exchange: ClientExchange,
    decision: Forward,
    { signal, hasBegun }: { readonly signal: AbortSignal; readonly hasBegun: boolean },
  ): Promise<{ readonly answer: PassedResponse; readonly again?: SecondTry }> {
    const sending = exchange.send(decision.body, { signal, isPlain: hasBegun })
    // After the first write to the provider, so that the request does not wait for the store.
    setImmediate(() => void exchange.place().catch(this.#unrecorded))
    return this.#triedAgain(exchange, await sending, decision, signal)
  }

  /** The answer to a second try if the provider refused and the mode has a better request; otherwise the first answer. */
  async #triedAgain(
    exchange: ClientExchange,
    first: PassedResponse,
    { again: tryFor }: Forward,
    signal: AbortSignal,
  ): Promise<{ readonly answer: PassedResponse; readonly again?: SecondTry }> {
    if (tryFor === undefined) return { answer: first }
    const { response: answer, refusal } = await lookForRefusal(first)
    if (refusal === undefined) return { answer }
    try {
      const decoded = await decodedBody(refusal, answer.headers['content-encoding'])
      const again = await tryFor({ status: answer.statusCode ?? 0, text: decoded?.toString() ?? '' })
      return again === undefined ? { answer } : { answer: await exchange.send(again.body, { signal }), again }
    } catch (error) {
      this.#log(`passed on a refusal: ${reasonOf(error)}`)
      return { answer }
    }
  }

  /** Logs a fault once, although several steps may meet the same one. */
  readonly #unrecorded = (error: unknown): void => {
    if (typeof error === 'object' && error !== null) {
      if (this.#loggedFaults.has(error)) return
      this.#loggedFaults.add(error)
    }
    this.#log(`not recorded, but passed on: ${reasonOf(error)}`)
  }

  /** Notes a request that has no complete answer, too: users interrupt many of them. */
  async #noteFailed(
    exchange: ClientExchange,
    noted: DecisionNote<Forward>,
    { why, status }: { readonly why: string; readonly status?: number },
  ): Promise<void> {
    const { decision } = noted
    const place = await exchange.place().catch(() => undefined)
    const read = await exchange.read().catch(() => undefined)
    this.#note(
      exchange,
      { ...noted, decision: { ...decision, why: `${decision.why}, ${why}` } },
      { status, read, place },
    )
  }

  /** Notes an answer of ours with its session, and with the tokens that the provider charged for it. */
  async #noteAnswer(
    exchange: ClientExchange,
    noted: DecisionNote<Extract<Decision, { kind: 'answer' }>>,
  ): Promise<void> {
    const { status, body, session, usage } = noted.decision
    const read = await exchange.read().catch(() => undefined)
    const place = session === undefined ? undefined : { session, value: '' }
    this.#note(exchange, noted, { status, read, place, answer: { usage }, answerBytes: Buffer.byteLength(body) })
  }

  #note(exchange: ClientExchange, { at, ownMs, decision }: DecisionNote, outcome: ExchangeFacts & SentAnswer): void {
    const { read, place, answer, status, answerBytes = 0 } = outcome
    const { bytesIn, askedBytes } = exchange
    const bytesOut = decision.kind === 'forward' ? (decision.body?.length ?? bytesIn) : askedBytes
    const record: RequestRecord = {
      at,
      upstream: exchange.upstream.name,
      path: exchange.client.path.replace(/\?.*/s, ''),
      face: read?.face,
      model: read?.model,
      session: place?.session,
      bytesIn,
      bytesOut,
      answerBytes,
      inputTokens: answer?.usage?.inputTokens,
      cachedTokens: answer?.usage?.cacheReadTokens,
      outputTokens: answer?.usage?.outputTokens,
      status,
      why: [decision.why, providerReductionText(answer?.reduced)].filter(Boolean).join('; '),
      ownMs,
    }
    this.#requests.add(record)
    this.#deps.onRequest?.(record)
    this.#charge((charges) => charges.add(exchange, { ...outcome, at, decision }))
  }

  /** A fault in the bill harms nothing else. */
  #charge(add: (charges: Charges) => void): void {
    try {
      if (this.#charges !== undefined) add(this.#charges)
    } catch (error) {
      this.#log(`not on the bill: ${reasonOf(error)}`)
    }
  }
}

type Forward = Extract<Decision, { kind: 'forward' }>
type DecisionNote<D = Decision> = { readonly at: number; readonly ownMs: number; readonly decision: D }
type SentAnswer = { readonly status?: number; readonly answerBytes?: number }

/** Shows the client from time to time that its stream lives. The first sign begins the stream. */
function keepAlive(client: ServerResponse, sign: string, { everyMs, until }: { everyMs: number; until: AbortSignal }) {
  if (until.aborted) return
  const timer = setInterval(() => {
    if (!client.headersSent) client.writeHead(200, EVENT_HEADERS)
    client.write(sign)
  }, everyMs)
  const stop = () => clearInterval(timer)
  client.once('close', stop)
  until.addEventListener('abort', stop, { once: true })
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it took too long')), { once: true })
  })
}

/** Why something failed, in one line without secrets. */
function reasonOf(error: unknown): string {
  return scrub(messageOf(error), [])
}

/** A gateway that listens, on this machine only. */
export type RunningGateway = {
  /** The base URL of an upstream, for a client. It contains the secret prefix. */
  urlOf(upstream: string): string
  readonly port: number
  /** Takes no new requests, ends those that run, and records everything that came before. */
  stop(): Promise<void>
}

const HOST = '127.0.0.1'

export async function serveGateway(deps: GatewayDeps, port: number): Promise<RunningGateway> {
  const gateway = new Gateway(deps)
  // No timeout: a client may wait long before its next request, and an answer may take long.
  const limits = { requestTimeout: 0, keepAliveTimeout: 65_000, maxHeaderSize: MOST_HEADER_BYTES }
  const server = createServer(limits, (request, response) => {
    void gateway.handle(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'something else listens there' : error.message
      reject(new PithError('bad-argument', `cannot listen on ${HOST}:${port} (${why}): choose another with --port`))
    })
    server.listen(port, HOST, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    port: bound,
    urlOf: (upstream) => `http://${HOST}:${bound}/${deps.prefix}/${upstream}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      await gateway.idle()
    },
  }
}
