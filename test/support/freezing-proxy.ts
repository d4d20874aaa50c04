import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Sits between a client and a server, and can fall silent as a network does that drops packets: neither side is notified. */
export type FreezingProxy = {
  /** The address of the server, by way of the proxy. */
  readonly url: string
  /** From now on the open connections carry nothing, or no answers. New ones work. */
  freeze(what: 'all' | 'answers'): void
  close(): Promise<void>
}

export async function startFreezingProxy(serverUrl: string): Promise<FreezingProxy> {
  const to = new URL(serverUrl)
  const pairs = new Set<readonly [client: Socket, server: Socket]>()
  const proxy = createServer((client) => {
    const server = connect(Number(to.port), to.hostname)
    const pair = [client, server] as const
    pairs.add(pair)
    client.pipe(server)
    server.pipe(client)
    for (const socket of pair) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        for (const other of pair) other.destroy()
        pairs.delete(pair)
      })
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const url = new URL(serverUrl)
  if (typeof address === 'object' && address !== null) url.port = String(address.port)
  return {
    url: url.href,
    freeze(what) {
      for (const [client, server] of pairs) {
        server.unpipe(client)
        if (what === 'all') client.unpipe(server)
      }
    },
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
