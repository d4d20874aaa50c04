import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { STATUS_PATH } from '../../../src/gateway/access.ts'
import { type GatewayDeps, type RunningGateway, serveGateway } from '../../../src/gateway/gateway.ts'
import { observe } from '../../../src/gateway/modes/modes.ts'
import type { RequestRecord } from '../../../src/gateway/recording/request-log.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'

export const PREFIX = 'a-prefix-nobody-can-guess'

export type GatewayWorld = {
  readonly gateway: RunningGateway
  readonly store: Store
  readonly lines: readonly string[]
  /** The base URL of the upstream `local` at the gateway. */
  readonly url: string
  /** The gateway's records of the last requests. */
  requests(): Promise<readonly RequestRecord[]>
}

/** A gateway before one upstream, gone after the test. */
export async function gatewayWorld(upstream: string, deps: Partial<GatewayDeps> = {}): Promise<GatewayWorld> {
  const store = deps.store ?? (await openStore(':memory:'))
  const lines: string[] = []
  const gateway = await serveGateway(
    {
      mode: observe,
      owner: 'local',
      workspace: '/w',
      holder: 'test:1',
      clock: Date.now,
      prefix: PREFIX,
      upstreams: [{ name: 'local', url: new URL(upstream) }],
      log: (line) => lines.push(line),
      ...deps,
      store,
    },
    0,
  )
  onTestFinished(async () => {
    await gateway.stop()
    await store.close()
  })
  const requests = async () => {
    const { body } = await call(`http://127.0.0.1:${gateway.port}/${PREFIX}/${STATUS_PATH}`, { method: 'GET' })
    return (JSON.parse(String(body)) as { records: RequestRecord[] }).records
  }
  return { gateway, store, lines, url: gateway.urlOf('local'), requests }
}

/** An HTTP server that does what the test says, gone after it. */
export async function upstreamServer(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  const server = createServer((incoming, response) => void handle(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export type Reply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export type Call = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Sends a request as it is and reads the bytes of the answer. */
export async function call(url: string, options: Call = {}): Promise<Reply> {
  const response = await opened(url, options)
  const { statusCode = 0, headers, rawHeaders } = response
  return { status: statusCode, headers, rawHeaders, body: await buffer(response) }
}

/** The same, up to the head of the answer. */
export function opened(url: string, { method = 'POST', headers = {}, body }: Call = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers } }, resolve)
    sent.on('error', reject)
    sent.end(body)
  })
}
