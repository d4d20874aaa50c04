import type { Hono } from 'hono'
import * as contract from '../../../contract/system.ts'
import type { Env } from '../../http/env.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Services } from '../../sessions/services.ts'
import { handle } from '../route-handler.ts'

/** What answers without a token: whether the process lives and takes work. */
export function openRoutes(app: Hono<Env>, { works, store }: Services): void {
  handle(app, contract.health, async () => ({ status: 'ok' as const }))

  handle(app, contract.ready, async () => {
    if (works.isStopping) throw new HttpError(503, 'stopping', 'the server is stopping')
    try {
      await store.sessions({ limit: 1 })
    } catch {
      throw new HttpError(503, 'no-store', 'the store cannot be reached')
    }
    return { status: 'ready' as const }
  })
}

/** Counters, and who a token is. */
export function systemRoutes(app: Hono<Env>, services: Services): void {
  handle(app, contract.metrics, async () => {
    const { metrics, works, streams } = services
    const text = metrics.text({
      pith_running: works.running.length,
      pith_streams: streams.size,
      pith_memory_bytes: process.memoryUsage.rss(),
      pith_cpu_seconds: cpuSeconds(),
    })
    return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4' } })
  })

  handle(app, contract.whoami, async ({ caller }) => ({
    ...caller,
    workspaces: Object.keys(services.server.workspaces),
    version: services.version,
  }))
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}
