import type { FlagKey } from '../../../config/index.ts'
import { gatewayPrefix } from '../../../gateway/running-gateways.ts'
import { unusedProxy } from '../../../gateway/upstream/proxied-agent.ts'
import { isProvidersOwn } from '../../../gateway/upstream/upstream.ts'
import { claudeAddress } from '../../../gateway/wrap/agents.ts'
import { printable } from '../../../model/text.ts'
import { note, print } from '../../output/show.ts'
import { modeText } from '../../setup/mode-text.ts'
import { loadSetup } from '../../setup/setup.ts'
import { type StartedGateway, startGateway } from '../../setup/start-gateway.ts'
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
  for (const line of startLines(started, Object.keys(flags.upstream ?? {}))) print(line)
  const proxy = unusedProxy(process.env)
  if (proxy !== undefined) note(proxy)
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  await started.stop()
}

/** The addresses for an agent's configuration. They contain the secret: they are printed once, and logged nowhere. */
function startLines(started: StartedGateway, named: readonly string[]): string[] {
  const { urlOf } = started.running
  const isAnthropic = started.upstreams.some((each) => each.name === 'anthropic' && isProvidersOwn(each))
  const claude = Object.entries(claudeAddress(urlOf('anthropic'), isAnthropic)).map((pair) => pair.join('='))
  return [
    `Pith passes requests on and ${modeText(started)}. Point an agent at it:`,
    `  Claude Code   ${claude.join(' ')}`,
    `  OpenAI        OPENAI_BASE_URL=${urlOf('openai')}/v1`,
    `  Gemini        GOOGLE_GEMINI_BASE_URL=${urlOf('google')}`,
    ...named.map((name) => `  ${name.padEnd(13)} ${urlOf(name)}`),
  ]
}
