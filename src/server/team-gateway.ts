import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SECRET_HEADER } from '../gateway/access.ts'
import type { Gateway, GatewayDeps } from '../gateway/gateway.ts'
import type { RequestRecord } from '../gateway/recording/request-log.ts'
import type { AccessBook } from './access/access-book.ts'
import { tokenOfSecret } from './access/known-caller.ts'
import type { AccessToken } from './access/tokens.ts'
import type { Metrics } from './observe/metrics.ts'
import { noteRequest, type RequestWatch } from './observe/watch-requests.ts'

/** The beginning of the paths of a server's gateways. */
const PATH = '/gateway/'

/** Takes a request if it is for a gateway. */
export type TeamGateway = (request: IncomingMessage, response: ServerResponse, watch: RequestWatch) => boolean

/** The reports of a token's gateway to the server. */
export type GatewayReports = Pick<GatewayDeps, 'log' | 'onRequest'>

/**
 * A gateway for each token that may write: its sessions belong to the token's owner. The token is in the path after
 * `/gateway/`, or in a header, because `Authorization` is for the provider's key. The answer to a wrong token reveals nothing.
 */
export function teamGateway(
  access: AccessBook,
  gatewayFor: (token: AccessToken, secret: string, reports: GatewayReports) => Gateway,
): TeamGateway {
  const gateways = new Map<string, Gateway>()
  const answer = async (request: IncomingMessage, response: ServerResponse, watch: RequestWatch) => {
    const started = performance.now()
    const secret = secretIn(request)
    // Without the database the gateway still serves the tokens that it knows.
    const token = await tokenOfSecret(access, secret).catch(() => undefined)
    watchAnswer(request, response, { ...watch, started }, token)
    if (token?.access !== 'write') {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":{"message":"There is nothing here"}}')
      return
    }
    const gateway = gateways.get(token.hash) ?? gatewayFor(token, secret, reportsOf(token, watch))
    gateways.set(token.hash, gateway)
    // Summaries that the server's own models write count for the token.
    await access.budgets.run(token.hash, () => gateway.handle(request, response))
  }
  return (request, response, watch) => {
    const { url = '' } = request
    if (!url.startsWith(PATH)) return false
    request.url = url.slice(PATH.length - 1)
    void answer(request, response, watch)
    return true
  }
}

/** Counts and logs a request when its answer has ended. The path after the secret is shown only to callers that we know. */
function watchAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { started, ...watch }: RequestWatch & { readonly started: number },
  token: AccessToken | undefined,
): void {
  const { method = '' } = request
  const path = token === undefined ? PATH : `${PATH}${pathAfterSecret(request)}`
  response.once('close', () => {
    const error = response.writableFinished ? undefined : 'broken off'
    const { statusCode: status } = response
    noteRequest(watch, PATH, started, { id: randomUUID(), method, path, status, token: token?.name, error })
  })
}

function reportsOf({ name }: AccessToken, { metrics, log }: RequestWatch): GatewayReports {
  return {
    log: (error) => log?.({ at: new Date().toISOString(), gateway: name, error }),
    onRequest: (record) => countTokens(metrics, record),
  }
}

function countTokens(metrics: Metrics, { upstream, ownMs, inputTokens, cachedTokens, outputTokens }: RequestRecord) {
  metrics.time('pith_gateway_own_seconds', { upstream }, ownMs / 1_000)
  const kinds = { input: inputTokens, cached: cachedTokens, output: outputTokens }
  for (const [kind, tokens] of Object.entries(kinds))
    if (tokens !== undefined) metrics.add('pith_gateway_tokens_total', { upstream, kind }, tokens)
}

function pathAfterSecret({ url = '', headers }: IncomingMessage): string {
  const path = url.replace(/\?.*/s, '')
  return headers[SECRET_HEADER] === undefined ? path.replace(/^\/[^/]*\/?/, '') : path.slice(1)
}

function secretIn({ url = '', headers }: IncomingMessage): string {
  const header = headers[SECRET_HEADER]
  return typeof header === 'string' ? header : (/^\/([^/?]+)\//.exec(url)?.[1] ?? '')
}
