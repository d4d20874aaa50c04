import type { FlagKey } from '../../../config/index.ts'
import { parseServerSettings } from '../../../config/server-settings.ts'
import { createGateway, type Gateway } from '../../../gateway/gateway.ts'
import { requestsOf, sessionRequests } from '../../../gateway/gateway-status.ts'
import { loadTokens, ownerOf } from '../../../server/access/tokens.ts'
import { logToStandardError } from '../../../server/observe/watch-requests.ts'
import { type RunningServer, serve } from '../../../server/serve.ts'
import { teamGateway } from '../../../server/team-gateway.ts'
import { openStore } from '../../../store/open-store.ts'
import { print } from '../../output/show.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { packageVersion } from '../../process/package.ts'
import { machineSessions } from '../../sessions/machine-sessions.ts'
import { gatewayDeps } from '../../setup/gateway-deps.ts'
import { loadSetup } from '../../setup/setup.ts'
import type { ServeFlags } from './serve.ts'
import { pageFolder } from './serve-page.ts'
import { storeMcpRoute } from './store-mcp-route.ts'

/** Serves until a signal stops it. Running work is then finished or cancelled, and nothing is lost. */
export async function runServer(
  { port, host, quiet }: ServeFlags,
  flags: Partial<Record<FlagKey, string>>,
): Promise<void> {
  const setup = loadSetup(flags)
  const { config, models, folders } = setup
  const { settings } = config
  const server = parseServerSettings(settings.server)
  const tokens = loadTokens(folders.data)
  const store = await openStore(settings.store, {
    poolSize: server.pool_size,
    statementMs: server.statement_ms,
    connectMs: server.connect_ms,
  })
  const gateways: Gateway[] = []
  const running = await serve({
    store,
    gateway: teamGateway(tokens, (token) => {
      const hosts = [...server.hosts, server.host]
      const gateway = createGateway(gatewayDeps(setup, { store, prefix: token.token, owner: ownerOf(token), hosts }))
      gateways.push(gateway)
      return gateway
    }),
    gatewayRequests: async (session) => [
      ...(await sessionRequests(folders.data, session)),
      ...requestsOf(
        session,
        gateways.flatMap((gateway) => gateway.requests()),
      ),
    ],
    settings,
    server,
    models,
    folders,
    tokens,
    version: packageVersion(),
    agentFiles: machineSessions(setup),
    mcp: storeMcpRoute(setup, store),
    host: host ?? server.host,
    port: port ?? server.port,
    webFolder: pageFolder(),
    log: quiet === true ? undefined : logToStandardError,
  })
  // A browser sends no fragment, so the token is in no request and in no log.
  print(`Pith serves at ${running.url}/#token=${tokens[0]?.token ?? ''}`)
  await untilStopped(running, server.leaving_ms)
}

/** A second signal ends the process at once: everything that was acknowledged is in the store. */
function untilStopped(running: RunningServer, leavingMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = false
    const stop = (waitMs: number) => {
      if (asked) process.exit(EXIT.interrupted)
      asked = true
      running.stop(waitMs).then(resolve, reject)
    }
    // A person at a terminal has no load balancer.
    process.on('SIGINT', () => stop(0))
    process.on('SIGTERM', () => stop(leavingMs))
  })
}
