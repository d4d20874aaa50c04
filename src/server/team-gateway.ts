import type { IncomingMessage, ServerResponse } from 'node:http'
import { SECRET_HEADER } from '../gateway/access.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { type AccessToken, findToken, type TokenSource } from './access/tokens.ts'

/** The beginning of the paths of a server's gateways. */
const PATH = '/gateway/'

/** Takes a request if it is for a gateway. */
export type TeamGateway = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * A gateway for each token that may write: its sessions belong to the token's owner. The token is in the path after
 * `/gateway/`, or in a header, because `Authorization` is for the provider's key. The answer to a wrong token reveals nothing.
 */
export function teamGateway(
  tokens: TokenSource,
  gatewayFor: (token: AccessToken, secret: string) => Gateway,
): TeamGateway {
  const gateways = new Map<string, Gateway>()
  return (request, response) => {
    const { url = '' } = request
    if (!url.startsWith(PATH)) return false
    request.url = url.slice(PATH.length - 1)
    const secret = secretIn(request)
    const token = findToken(tokens(), secret)
    const gateway = token?.access === 'write' ? (gateways.get(token.hash) ?? gatewayFor(token, secret)) : undefined
    if (token === undefined || gateway === undefined) {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":{"message":"There is nothing here"}}')
      return true
    }
    gateways.set(token.hash, gateway)
    void gateway.handle(request, response)
    return true
  }
}

function secretIn({ url = '', headers }: IncomingMessage): string {
  const header = headers[SECRET_HEADER]
  return typeof header === 'string' ? header : (/^\/([^/?]+)\//.exec(url)?.[1] ?? '')
}
