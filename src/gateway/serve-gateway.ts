import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PithError } from '../model/problems/errors.ts'
import { createGateway, type GatewayDeps } from './gateway.ts'
import { MOST_HEADER_BYTES } from './upstream/pass-on.ts'

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
  const gateway = createGateway(deps)
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
