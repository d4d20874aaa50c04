import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readRules } from '../../../agent/permissions/rules-file.ts'
import { openSandbox } from '../../../agent/sandbox/sandbox.ts'
import { unkeptText } from '../../../agent/sandbox/unkept-text.ts'
import type { FlagKey } from '../../../config/index.ts'
import {
  parseGatewaySettings,
  parseServerSettings,
  type ServerSettings,
} from '../../../config/tables/program-settings.ts'
import { Gateway } from '../../../gateway/gateway.ts'
import { requestsInSession, sessionRequests } from '../../../gateway/running-gateways.ts'
import type { McpOverHttp } from '../../../mcp/mcp-over-http.ts'
import { messageOf } from '../../../model/problems/errors.ts'
import { openAccess } from '../../../server/access/access-book.ts'
import { ownerOf } from '../../../server/access/tokens.ts'
import type { McpRoute } from '../../../server/http/http-error.ts'
import { logToStandardError, type ServerLine } from '../../../server/observe/watch-requests.ts'
import { type RunningServer, serve } from '../../../server/serve.ts'
import { teamGateway } from '../../../server/team-gateway.ts'
import { openStore } from '../../../store/open-store.ts'
import type { Store } from '../../../store/store.ts'
import { machineMemories } from '../../memory/machine-memories.ts'
import { note, print } from '../../output/show.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { PACKAGE, packageVersion } from '../../process/package.ts'
import { AgentIndex } from '../../sessions/agent-index.ts'
import { machineSessions } from '../../sessions/machine-sessions.ts'
import { loadSetup, type Setup } from '../../setup/setup.ts'
import { gatewayDeps } from '../../setup/start-gateway.ts'
import { ownerFinder } from './owner-finder.ts'
import type { ServeFlags } from './serve.ts'
import { noteTaken, signInLink } from './serve-access.ts'

/** Serves until a signal stops it. Running work is then finished or cancelled, and nothing is lost. */
export async function runServer(
  { port, host, quiet }: ServeFlags,
  flags: Partial<Record<FlagKey, string>>,
): Promise<void> {
  const setup = loadSetup(flags)
  const { config, models, folders } = setup
  const { settings } = config
  const server = parseServerSettings(settings.server, config.placeOf)
  // The gateways of its tokens start with their first requests: too late to say what is wrong.
  parseGatewaySettings(settings.gateway, config.placeOf)
  const store = await openStore(settings.store, {
    poolSize: server.pool_size,
    statementMs: server.statement_ms,
    answerMs: server.answer_ms,
    connectMs: server.connect_ms,
    listens: 'when-subscribed',
  })
  const access = await openAccess(store, folders.data, noteTaken)
  const metered: Setup = { ...setup, models: access.budgets.metered(models) }
  const gateways: Gateway[] = []
  let index: AgentIndex | undefined
  const agents = () => (index ??= new AgentIndex(folders.data))
  const running = await serve({
    store,
    gateway: teamGateway(access, (token, prefix, reports) => {
      const hosts = [...server.hosts, server.host]
      const owner = ownerOf(token)
      // The agents are on other machines: no request says in which folder, and the server's own is none of theirs.
      const wish = { ...reports, store, prefix, owner, hosts, workspace: '', holder: SERVERS }
      const gateway = new Gateway(gatewayDeps(metered, wish))
      gateways.push(gateway)
      return gateway
    }),
    gatewayRequests: async (session) => [
      ...(await sessionRequests(folders.data, session)),
      ...requestsInSession(
        session,
        gateways.flatMap((gateway) => gateway.requests()),
      ),
    ],
    settings,
    server,
    models,
    folders,
    access,
    version: packageVersion(),
    agentFiles: { ...machineSessions(setup, agents), close: async () => index?.close() },
    machineMemories: machineMemories(setup, agents),
    mcp: storeMcpRoute(setup, store),
    host: host ?? server.host,
    port: port ?? server.port,
    webFolder: pageFolder(),
    log: quiet === true ? logErrors : logToStandardError,
  })
  print(`Pith serves at ${running.url}`)
  // A log, a pipe or a service's journal is read by others.
  if (process.stdout.isTTY) print(`Sign in once, within 15 minutes: ${await signInLink(access, running.url)}`)
  if (!isLoopback(host ?? server.host)) note(NO_TLS)
  for (const line of await unkeptRules(setup, server)) note(line)
  if (server.retention.length > 0) note(retentionText(server.retention))
  await untilStopped(running, server.leaving_ms)
}

/** Says at the start which sessions are deleted: nobody should find that out from what is missing. */
function retentionText(rules: ServerSettings['retention']): string {
  const parts = rules.map(({ older_than, owner, project }) => {
    const whose = [owner === undefined ? '' : ` of ${owner}`, project === undefined ? '' : ` in ${project}`].join('')
    return older_than === 'never' ? `those${whose} are kept` : `those${whose} go after ${older_than}`
  })
  return `Sessions are deleted when nobody uses them: ${parts.join('; ')}. pith store delete --dry-run counts them.`
}

/** The log of `--quiet`: only the requests that the server failed to answer. */
function logErrors(line: ServerLine): void {
  if ('error' in line && line.error !== undefined) logToStandardError(line)
}

/** A line for each workspace of the server with never rules that no sandbox keeps, or with rules that cannot be read. */
async function unkeptRules({ config, models, folders }: Setup, { workspaces }: ServerSettings): Promise<string[]> {
  const lines = Object.entries(workspaces).map(async ([name, { path }]) => {
    // A missing folder is reported when the agent works there.
    if (!existsSync(path)) return []
    const workspace = realpathSync(path)
    try {
      const { never } = await readRules({ folder: folders.data, workspace })
      const text = unkeptText(await openSandbox(config.settings.sandbox, workspace, models.env), never)
      return text === undefined ? [] : [`Workspace ${name}: ${text}`]
    } catch (error) {
      return [`Workspace ${name}: ${messageOf(error)}`]
    }
  })
  return (await Promise.all(lines)).flat()
}

/** All servers on a database hold its sessions together: a load balancer sends each request of a conversation to any of them. */
const SERVERS = 'pith serve'

const NO_TLS =
  'Warning: other machines can reach this server, and it has no TLS: anyone on the network path can read tokens and sessions. Put a proxy with TLS in front of it.'

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
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
    process.on('SIGHUP', () => stop(0))
  })
}

/** MCP for the clients of a server: each token has the sessions of its owner. The SDK is loaded at the first request. */
function storeMcpRoute(setup: Setup, store: Store): McpRoute {
  let loading: Promise<McpOverHttp> | undefined
  return {
    answer: async (request, caller) => {
      loading ??= import('../../../mcp/mcp-over-http.ts').then((m) => new m.McpOverHttp({ version: packageVersion() }))
      const workspace = new URL(request.url).searchParams.get('workspace') ?? undefined
      const finder = () => ownerFinder({ setup, store, caller, workspace })
      // A connection keeps the rights that it was made with, so another one is needed when they change.
      const client = { key: `${caller.token} ${caller.access}`, isKnown: caller.isKnown }
      return (await loading).answer(request, client, finder)
    },
    close: async () => (await loading)?.close(),
  }
}

const BUILT = join(PACKAGE, 'dist', 'web')

/** The folder of the built web inspector. In a checkout it is built when it is missing or older than its sources. */
export function pageFolder(): string | undefined {
  const sources = join(PACKAGE, 'web')
  if (existsSync(join(sources, 'index.html')) && changedAt(sources) > builtAt()) build()
  return builtAt() === 0 ? undefined : BUILT
}

/** Builds the web inspector. Without the build tools it stays as it is, and the server answers how to build it. */
function build(): void {
  spawnSync(process.execPath, [join(PACKAGE, 'scripts', 'build-web.mjs')], { stdio: 'ignore' })
}

function builtAt(): number {
  return statSync(join(BUILT, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function changedAt(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}
