import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { parseArguments } from './bad-body.ts'
import type { Brain } from './brain.ts'
import { deliver } from './deliver.ts'
import { type FaultRule, faultPlan } from './fault.ts'
import type { ProtocolName } from './model-request.ts'
import { promptCaches } from './prompt-caches.ts'
import type { Ids, Protocol, Reply } from './protocol.ts'
import { protocolsOf } from './protocols.ts'
import type { RequestRecord, Violation } from './record.ts'
import { type Responder, respond } from './respond.ts'
import { isSummarising } from './summarising.ts'
import type { TokenUsage } from './token-count.ts'

export type ModelServerOptions = {
  readonly brain: Brain
  /** A larger request is refused as the provider refuses it, and is a violation. Default 200,000 tokens. */
  readonly window?: number
  readonly faults?: readonly FaultRule[]
  /** `fail`: every request that asks for a summary ends in an error 500. */
  readonly summaries?: 'answer' | 'fail'
  /** Shorter prefixes are not cached (1,024 at the providers). Default 0. */
  readonly cacheMinimumTokens?: number
  /** How long the cache keeps a prefix that is not requested, by `clock`. Default: always. */
  readonly cacheLifetimeMs?: number
  readonly clock?: () => number
  /** The usage that the server reports; the truth by default. */
  readonly reports?: (usage: TokenUsage) => TokenUsage
  /** When given, requests with another key are answered with 401. */
  readonly apiKey?: string
  /** The models that `/v1/models` lists. */
  readonly models?: readonly string[]
}

export type ModelServer = {
  readonly url: string
  /** The base URL that a client of this protocol is given. */
  readonly baseUrl: (protocol: ProtocolName) => string
  readonly requests: readonly RequestRecord[]
  /** The requests that a real provider would have refused. */
  readonly violations: readonly Violation[]
  readonly close: () => Promise<void>
}

/** A model provider on this machine: four protocols over HTTP, true accounting, strict validation, faults on demand. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { window = 200_000, models = ['pith-test'] } = options
  const requests: RequestRecord[] = []
  const violations: Violation[] = []
  const responder = responderOf(options, window, violations)
  const protocols = protocolsOf(responder.ids)
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    baseUrl: (protocol) => `${url}/${protocol === 'google' ? 'v1beta' : 'v1'}`,
    requests,
    violations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? '/', url).pathname
    const protocol = protocols.find((each) => each.matches(path))
    if (path === '/v1/models') return deliver(response, modelList(models, window))
    if (protocol === undefined) return deliver(response, notFound(path))
    const record = recordOf(incoming, path, protocol, requests.length + 1)
    requests.push(record)
    response.once('close', () => {
      record.aborted = !response.writableFinished
    })
    const bytes = await buffer(incoming)
    record.digest = createHash('sha256').update(bytes).digest('hex')
    record.body = parseArguments(bytes.toString())
    if (options.apiKey === undefined || keyOf(incoming.headers) === options.apiKey) {
      return respond(responder, { record, protocol, response })
    }
    record.outcome = 'unauthorized'
    return deliver(response, protocol.error('auth', 'invalid x-api-key'))
  }
}

function responderOf(options: ModelServerOptions, window: number, violations: Violation[]): Responder {
  const { brain, faults = [], summaries, cacheMinimumTokens: minimumTokens = 0, reports = (usage) => usage } = options
  const { cacheLifetimeMs: lifetimeMs = Number.POSITIVE_INFINITY, clock = Date.now } = options
  const failing: FaultRule = { when: isSummarising, fault: { fault: 'server-error', retryAfterMs: 0 } }
  return {
    brain,
    window,
    faultFor: faultPlan(summaries === 'fail' ? [...faults, failing] : faults),
    cacheFor: promptCaches({ minimumTokens, lifetimeMs, clock }),
    ids: idsOfServer(),
    reports,
    onViolation: ({ number, protocol }, problem) => violations.push({ number, protocol, problem }),
  }
}

function recordOf(incoming: IncomingMessage, path: string, { name }: Protocol, number: number): RequestRecord {
  return {
    number,
    at: Date.now(),
    path,
    protocol: name,
    headers: incoming.headers,
    body: undefined,
    digest: '',
    tokens: 0,
    summarising: false,
    outcome: 'pending',
    aborted: false,
  }
}

/** Sessions outlive a server: its ids must differ from those of the next one. */
function idsOfServer(): Ids {
  const server = randomBytes(6).toString('hex')
  let count = 0
  return (prefix) => `${prefix}_${server}${`${++count}`.padStart(6, '0')}`
}

function keyOf({ authorization = '', ...headers }: IncomingHttpHeaders): unknown {
  return headers['x-api-key'] ?? headers['x-goog-api-key'] ?? authorization.replace(/^Bearer /, '')
}

function modelList(models: readonly string[], window: number): Reply {
  const data = models.map((id) => ({ id, object: 'model', owned_by: 'pith', max_model_len: window }))
  return { kind: 'json', status: 200, body: { object: 'list', data } }
}

function notFound(path: string): Reply {
  return { kind: 'json', status: 404, body: { error: { message: `no such path: ${path}` } } }
}
