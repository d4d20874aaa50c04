import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { MOST_HEADER_BYTES } from '../gateway/upstream/pass-on.ts'
import { PithError } from '../model/problems/errors.ts'
import { createApp, type ServerApp } from './server-app.ts'
import type { ServerDeps } from './sessions/services.ts'
import type { TeamGateway } from './team-gateway.ts'

export type ServeOptions = ServerDeps & {
  readonly host: string
  readonly port: number
  /** For agents of the team. It gets the raw requests, because it passes their bytes on. */
  readonly gateway?: TeamGateway
}

/** A server that listens. */
export type RunningServer = {
  readonly url: string
  readonly server: Server
  /**
   * Reports at `/ready` for `leavingMs` that it will stop. Then it refuses new work, finishes or cancels running work, and
   * closes every connection and the store.
   */
  stop(leavingMs?: number): Promise<void>
}

/** A client that takes longer to send its headers is disconnected. */
const HEADERS_MS = 10_000

/** Starts to listen. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { host, port, store } = options
  const { app, services, retention, leave, stop } = createApp(options)
  const watch = { metrics: services.metrics, log: options.log }
  const listener = requestListener(app)
  // Node counts a connection without a request as active until the time for its headers is over.
  const silent = new Set<Socket>()
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      // For the gateway, whose clients send large headers.
      maxHeaderSize: MOST_HEADER_BYTES,
      requestTimeout: options.server.request_ms,
      keepAliveTimeout: options.server.keep_alive_ms,
      connectionsCheckingInterval: 2_000,
    },
    (request, response) => {
      silent.delete(request.socket)
      if (options.gateway?.(request, response, watch) !== true) void listener(request, response)
    },
  )
  server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  await listening(server, host, port)
  retention.start()
  const { port: bound } = server.address() as AddressInfo
  let stopping: Promise<void> | undefined
  return {
    url: urlAt(host, bound),
    server,
    stop(leavingMs = 0) {
      stopping ??= (async () => {
        leave()
        if (leavingMs > 0) await sleep(leavingMs)
        const closed = new Promise<void>((resolve) => server.close(() => resolve()))
        await closeSilent(silent)
        await stop()
        server.closeIdleConnections()
        const timer = setTimeout(() => server.closeAllConnections(), 1_000)
        await closed
        clearTimeout(timer)
        await store.close()
      })()
      return stopping
    },
  }
}

/**
 * Passes requests to an app. The rest of a body that the app refused is read and dropped by Node and by `bodyText`, until
 * `requestTimeout`. The library would close the connection after half a second, and a client that still sends would not get the answer.
 */
export function requestListener({ fetch }: Pick<ServerApp['app'], 'fetch'>): ReturnType<typeof getRequestListener> {
  return getRequestListener(fetch, { overrideGlobalObjects: false, autoCleanupIncoming: false })
}

/** Closes connections that have sent nothing. Two turns of the event loop read the bytes that have already arrived. */
async function closeSilent(sockets: ReadonlySet<Socket>): Promise<void> {
  await nextTurn()
  await nextTurn()
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
}

/** The address of a server on a host and port. */
export function urlAt(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'something else listens there' : error.message
      reject(new PithError('bad-argument', `cannot listen on ${host}:${port} (${why}): choose another with --port`))
    })
    server.listen(port, host, resolve)
  })
}
