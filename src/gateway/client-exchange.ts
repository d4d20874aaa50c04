import type { IncomingMessage } from 'node:http'
import { eventReader } from '../contract/event-reader.ts'
import { SilenceError } from '../llm/failure/model-failure.ts'
import type { Usage } from '../model/types.ts'
import { SECRET_HEADER } from './access.ts'
import { lastTextOf } from './clients/compaction-ask.ts'
import { asksForCheck, recogniseCompaction } from './clients/recognise-compaction.ts'
import { isSideRequest } from './clients/side-request.ts'
import type { ChainStep, ClientRequest, FaceAnswer, FaceRequest } from './faces/face.ts'
import type { KnownRequests } from './faces/known-requests.ts'
import { faceAt, faceNamed, readRequest } from './faces/read-request.ts'
import type { AskedAnswer, AskOptions, Exchange } from './modes/mode.ts'
import type { Place, SessionEnd } from './recording/session-ends.ts'
import type { SessionRecorder } from './recording/session-recorder.ts'
import type { WorkQueue } from './recording/work-queue.ts'
import { type HeardAnswer, isPlainStream, type PassedResponse, passedHeaders } from './upstream/pass-on.ts'
import { type Body, decodedBody } from './upstream/read-body.ts'
import { sendUpstream } from './upstream/send-upstream.ts'
import { addressAt, type Upstream } from './upstream/upstream.ts'

type ExchangeInput = {
  readonly request: IncomingMessage
  readonly body: Body
  readonly upstream: Upstream
  readonly path: string
  readonly recorder: SessionRecorder
  readonly queue: WorkQueue
  /** The last requests of this gateway's clients. */
  readonly known: KnownRequests
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
  /** Shows the client from now on that the connection lives. */
  readonly keepAlive: (signOfLife: string) => void
  /** Called with the provider's count of each answer to a request of our own. */
  readonly onAsked?: (exchange: ClientExchange, model: string, usage: Usage) => void
}

/** A request of a client as the modes see it. It reads, places, sends and records the request. */
export class ClientExchange implements Exchange {
  readonly client: ClientRequest
  readonly upstream: Upstream
  readonly #input: ExchangeInput
  #read: Promise<FaceRequest | undefined> | undefined
  #place: Promise<Place | undefined> | undefined
  #askedBytes = 0
  #isKeptAlive = false

  constructor(input: ExchangeInput) {
    const { request, body, path, upstream } = input
    this.#input = input
    this.upstream = upstream
    // The modes do not see a body that is too large to hold in memory.
    const held = body instanceof Uint8Array ? body : new Uint8Array()
    this.client = { method: request.method ?? 'GET', path, headers: plainHeaders(request), body: held }
  }

  get bytesIn(): number {
    return this.client.body.length
  }

  /** How many bytes we sent to the provider to make our own answer. */
  get askedBytes(): number {
    return this.#askedBytes
  }

  read(): Promise<FaceRequest | undefined> {
    this.#read ??= this.#readOnce()
    return this.#read
  }

  readAs(body: Uint8Array): FaceRequest | undefined {
    return readRequest({ ...this.client, body }, this.#input.known)
  }

  place(other?: FaceRequest): Promise<Place | undefined> {
    this.#place ??= this.#input.queue.add(async () => {
      const { recorder } = this.#input
      const read = other ?? (await this.read())
      const ask = other === undefined ? recogniseCompaction(this.client, read) : undefined
      // The directive that asks for a compaction is from the client, not from the user.
      const conversation = ask?.conversation ?? read
      if (conversation === undefined || (await this.#isSide())) return undefined
      const summed = asksForCheck(conversation) ? await recorder.summedBefore(conversation) : undefined
      if (summed !== undefined) return summed
      const transcript =
        ask !== undefined && ask.conversation === undefined ? lastTextOf(conversation)?.text : undefined
      return transcript === undefined ? recorder.addRequest(conversation) : recorder.transcriptPlace(transcript)
    }, this.bytesIn)
    return this.#place
  }

  endBefore(chain: readonly ChainStep[]): Promise<SessionEnd | undefined> {
    const { queue, recorder } = this.#input
    return queue.add(async () => recorder.endBefore(chain))
  }

  transcriptPlace(transcript: string): Promise<Place | undefined> {
    const { queue, recorder } = this.#input
    return queue.add(() => recorder.transcriptPlace(transcript))
  }

  keepAlive(signOfLife: string): void {
    if (this.#isKeptAlive) return
    this.#isKeptAlive = true
    this.#input.keepAlive(signOfLife)
  }

  async ask(body: Buffer, options: AskOptions = {}): Promise<AskedAnswer> {
    this.#askedBytes += body.length
    const { signal = this.#input.signal, silenceMs } = options
    const silence = new SilenceLimit(silenceMs)
    try {
      const response = await this.send(body, { ...options, signal: AbortSignal.any([signal, silence.signal]) })
      const chunks: Buffer[] = []
      let fault: unknown
      try {
        for await (const chunk of response) {
          silence.begin()
          chunks.push(chunk)
        }
      } catch (error) {
        fault = silence.signal.aborted ? silence.signal.reason : error
      }
      const { statusCode: status = 0, headers } = response
      const decoded = await decodedBody(Buffer.concat(chunks), headers['content-encoding'])
      const text = decoded?.toString() ?? ''
      await this.#noteAsked(text)
      return { status, headers, text, fault }
    } finally {
      silence.end()
    }
  }

  async #noteAsked(text: string): Promise<void> {
    const read = await this.read()
    const usage = read === undefined ? undefined : faceNamed(read.face).answerOf(text, read.messages.length)?.usage
    if (read !== undefined && usage !== undefined) this.#input.onAsked?.(this, read.model, usage)
  }

  /** Sends the client's own bytes, or the changed body instead. `isPlain`: the answer must not be compressed. */
  send(
    changed?: Buffer,
    { path = this.client.path, signal = this.#input.signal, isPlain = false }: SendOptions = {},
  ): Promise<IncomingMessage> {
    const { request, body } = this.#input
    const ofBody = changed === undefined ? [] : ['content-length', 'content-encoding']
    const ofAnswer = isPlain ? ['accept-encoding'] : []
    return sendUpstream({
      method: this.client.method,
      address: addressAt(this.upstream, path),
      headers: passedHeaders(request.rawHeaders, [SECRET_HEADER, ...ofBody, ...ofAnswer]),
      body: changed ?? body,
      signal,
    })
  }

  /** Sees when an answer is complete, from the pieces of its stream. */
  endWatch(response: PassedResponse): (piece: Buffer) => boolean {
    const face = isPlainStream(response) ? faceAt(this.client) : undefined
    if (face === undefined) return () => false
    const events = eventReader()
    return (piece) => events(piece.toString('latin1')).some((event) => face.isLast(event))
  }

  /** True for an answer that is complete, except that its usage has not come yet. */
  misses(response: PassedResponse, bytes: Buffer): boolean {
    const answer = isPlainStream(response) ? faceAt(this.client)?.answerOf(bytes.toString(), 0) : undefined
    return answer !== undefined && answer.usage === undefined
  }

  /**
   * Reads the answer and appends it to the session of the request. It is queued at once, so that the next request is recorded
   * after it. Of an answer that was broken off only the usage is kept: the client sends the part that it uses.
   */
  recordAnswer(response: PassedResponse, { bytes, isCut }: HeardAnswer): Promise<ExchangeFacts> {
    const place = this.place()
    return this.#input.queue.add(async () => {
      const [read, at] = [await this.read(), await place]
      const text = await textIn(response, bytes)
      const face = read === undefined ? undefined : faceNamed(read.face)
      const answer = text === undefined ? undefined : face?.answerOf(text, read?.messages.length ?? 0)
      const { recorder } = this.#input
      const model = `${this.upstream.name}/${read?.model}`
      if (answer === undefined && isCut) {
        const usage = text === undefined ? undefined : face?.usageIn(text)
        if (at !== undefined && usage !== undefined) await recorder.addInterrupted(at, usage, model)
        return { read, place: at, answer: { usage }, isCut }
      }
      if (answer?.usage !== undefined && (await this.#isSide())) await recorder.addSide(answer.usage, model)
      if (read === undefined || at === undefined || answer === undefined) return { read, place: at, answer }
      if (!asksForCheck(read) && recogniseCompaction(this.client, read)?.form !== 'text') {
        const end = await recorder.addAnswer(at, answer, model)
        await recorder.addFixed(end, read)
        return { read, answer, place: end }
      }
      await recorder.addSummary(at, answer, model)
      return { read, answer, place: at }
    }, bytes?.length)
  }

  /** True for a request beside the agent's conversation. It belongs to no session. */
  async #isSide(): Promise<boolean> {
    const read = await this.read()
    if (read === undefined || !isSideRequest(this.client, read) || asksForCheck(read)) return false
    return recogniseCompaction(this.client, read) === undefined
  }

  async #readOnce(): Promise<FaceRequest | undefined> {
    const encoding = this.client.headers['content-encoding']
    const { body } = this.client
    const decoded = encoding === undefined ? body : await decodedBody(Buffer.from(body), encoding)
    return decoded === undefined ? undefined : this.readAs(decoded)
  }
}

/** The facts about a request that are known when its answer has ended. */
export type ExchangeFacts = {
  readonly read?: FaceRequest
  readonly place?: Place
  readonly answer?: FaceAnswer
  /** The answer was broken off before it was complete. */
  readonly isCut?: boolean
}

/** The text of an answer; undefined for an error, and for one that cannot be read. */
async function textIn(response: PassedResponse, bytes: Buffer | undefined): Promise<string | undefined> {
  if (bytes === undefined || response.statusCode !== 200) return undefined
  return (await decodedBody(bytes, response.headers['content-encoding']))?.toString()
}

type SendOptions = Pick<AskOptions, 'path' | 'signal'> & { readonly isPlain?: boolean }

/** Aborts when nothing has come for a while. */
class SilenceLimit {
  readonly #controller = new AbortController()
  readonly #ms: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number | undefined) {
    this.#ms = ms
    this.begin()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Counts from now. */
  begin(): void {
    this.end()
    const ms = this.#ms
    if (ms !== undefined) this.#timer = setTimeout(() => this.#controller.abort(new SilenceError(ms)), ms)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
