import type { FlagKey } from '../../../config/index.ts'
import { gatewayPrefix } from '../../../gateway/running-gateways.ts'
import { unusedProxy } from '../../../gateway/upstream/proxied-agent.ts'
import { printable } from '../../../model/text.ts'
import { note, print } from '../../output/show.ts'
import { modeText } from '../../setup/mode-text.ts'
import { loadSetup } from '../../setup/setup.ts'
import { startGateway } from '../../setup/start-gateway.ts'
import type { GatewayFlags } from './gateway.ts'

/** Runs a gateway until a signal stops it. */
export async function runGateway(flags: GatewayFlags, settings: Partial<Record<FlagKey, string>>): Promise<void> {
  const setup = loadSetup(settings)
  const started = await startGateway(setup, {
    prefix: gatewayPrefix(setup.folders.data, process.env),
    mode: flags.mode,
    upstreams: flags.upstream ?? {},
    port: flags.port,
    log: flags.quiet === true ? undefined : (line) => note(printable(line)),
  })
  for (const line of startLines(modeText(started), started.running.urlOf, Object.keys(flags.upstream ?? {})))
    print(line)
  const proxy = unusedProxy(process.env)
  if (proxy !== undefined) note(proxy)
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  await started.stop()
}

/** The addresses for an agent's configuration. They contain the secret: they are printed once, and logged nowhere. */
function startLines(does: string, urlOf: (upstream: string) => string, named: readonly string[]): string[] {
  return [
    `Pith passes requests on and ${does}. Point an agent at it:`,
    `  Claude Code   ANTHROPIC_BASE_URL=${urlOf('anthropic')}`,
    `  OpenAI        OPENAI_BASE_URL=${urlOf('openai')}/v1`,
    `  Gemini        GOOGLE_GEMINI_BASE_URL=${urlOf('google')}`,
    ...named.map((name) => `  ${name.padEnd(13)} ${urlOf(name)}`),
  ]
}
