import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { requestListener } from '../../../src/server/serve.ts'
import { type ServerWorld, serverWorld, type WorldOptions } from './world.ts'

export type Listening = ServerWorld & {
  readonly url: string
  readonly port: number
  /** How many clients are connected. */
  readonly connections: () => Promise<number>
  /** Breaks every connection; the server continues. */
  readonly cut: () => void
}

/** The same world on a port. */
export async function listening(options: WorldOptions = {}): Promise<Listening> {
  const world = await serverWorld(options)
  const listener = requestListener(world.app)
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    )
  return { ...world, url: `http://127.0.0.1:${port}`, port, connections, cut: () => server.closeAllConnections() }
}
