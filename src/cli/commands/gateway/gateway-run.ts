import { parseGatewaySettings } from '../../../config/gateway-settings.ts'
import type { FlagKey } from '../../../config/index.ts'
import { gatewayPrefix } from '../../../gateway/gateway-prefix.ts'
import { MODES } from '../../../gateway/modes/modes.ts'
import { observe } from '../../../gateway/modes/observe.ts'
import { announceGateway } from '../../../gateway/running-gateways.ts'
import { serveGateway } from '../../../gateway/serve-gateway.ts'
import { knownUpstreams } from '../../../gateway/upstream/known-upstreams.ts'
import { ownHolder } from '../../../session/holder.ts'
import { openStore } from '../../../store/open-store.ts'
import { note, print, printable } from '../../output/show.ts'
import { loadSetup } from '../../setup/setup.ts'
import type { GatewayFlags } from './gateway.ts'

/** How long a write may hold up the streams that pass through. What is not recorded then is recorded with the next request. */
const BUSY_MS = 50

/** Runs a gateway until a signal stops it. */
export async function runGateway(flags: GatewayFlags, settings: Partial<Record<FlagKey, string>>): Promise<void> {
  const { config, folders } = loadSetup(settings)
  const table = parseGatewaySettings(config.settings.gateway)
  const prefix = gatewayPrefix(folders.data, process.env)
  const mode = MODES[flags.mode] ?? observe
  const holder = ownHolder()
  const store = await openStore(config.settings.store, { busyMs: BUSY_MS })
  const running = await serveGateway(
    {
      store,
      prefix,
      mode,
      holder,
      upstreams: knownUpstreams(config.settings.providers, { ...table.upstreams, ...flags.upstream }),
      owner: 'local',
      workspace: config.workspace,
      clock: Date.now,
      log: flags.quiet === true ? undefined : (line) => note(printable(line)),
    },
    flags.port ?? table.port,
  )
  const retract = announceGateway(folders.data, { holder, port: running.port, prefix, mode: mode.name })
  for (const line of startLines(running.urlOf, Object.keys(flags.upstream))) print(line)
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  retract()
  await running.stop()
  await store.close()
}

/** What an agent is pointed at. The addresses contain the secret: they are printed once, and logged nowhere. */
function startLines(urlOf: (upstream: string) => string, named: readonly string[]): string[] {
  return [
    'Pith passes requests on and records the sessions. Point an agent at it:',
    `  Claude Code   ANTHROPIC_BASE_URL=${urlOf('anthropic')}`,
    `  OpenAI        OPENAI_BASE_URL=${urlOf('openai')}/v1`,
    `  Gemini        GOOGLE_GEMINI_BASE_URL=${urlOf('google')}`,
    ...named.map((name) => `  ${name.padEnd(13)} ${urlOf(name)}`),
  ]
}
