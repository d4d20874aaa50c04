import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { onTestFinished } from 'vitest'
import { type ServerWorld, serverWorld, type WorldOptions } from './world.ts'

/** The same world behind a port. */
export async function listening(options: WorldOptions = {}): Promise<ServerWorld & { url: string; port: number }> {
  const world = await serverWorld(options)
  const listener = getRequestListener(world.app.fetch, { overrideGlobalObjects: false })
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { ...world, url: `http://127.0.0.1:${port}`, port }
}
