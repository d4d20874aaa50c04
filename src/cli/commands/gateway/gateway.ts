import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_PORTS } from '../../../config/tables/setting-choices.ts'
import { MODE_NAMES, type ModeName } from '../../../gateway/modes/mode.ts'
import { addSettingFlags, examples, portOption, settingFlags } from '../../options/options.ts'

export type GatewayFlags = {
  readonly port?: number
  readonly mode?: ModeName
  readonly upstream?: Readonly<Record<string, string>>
  readonly quiet?: true
}

export type StatusFlags = { readonly server?: string; readonly token?: string }

/** `pith gateway`: between an agent and its provider, and what it did. */
export function gatewayCommand(pith: Command): void {
  const gateway = pith
    .command('gateway')
    .description('run between other agents and their providers, and record their sessions')
    .option(
      '--port <port>',
      `where to listen on this machine, by default gateway.port (${DEFAULT_PORTS.gateway}); 0 takes a free one`,
      portOption,
    )
    .addOption(new Option('--mode <mode>', 'what is done with requests').choices(MODE_NAMES))
    .option(
      '--upstream <name=url>',
      'where requests may go besides the known providers; can be given more than once',
      upstreamOf,
    )
    .option('--quiet', 'do not print failed requests')
    .action(async (flags: GatewayFlags, command: Command) =>
      (await import('./gateway-run.ts')).runGateway(flags, settingFlags(command)),
    )
  addSettingFlags(gateway, ['theme', 'permissions', 'step_limit'])
  gateway.addHelpText(
    'after',
    examples(
      'pith gateway                                         prints what to point an agent at',
      'pith gateway --upstream local=http://127.0.0.1:8080',
      'pith gateway status',
    ),
  )
  gateway
    .command('status')
    .description(
      'the last requests of the running gateways: what came in, what went out, why, and how long it took; and the bill by day and agent',
    )
    .option('--server <url>', 'the requests with your token through the gateway of that `pith serve`')
    .option('--token <token>', 'its token; by default PITH_TOKEN, or the part of the address after #')
    .action(async (of: StatusFlags, command: Command) =>
      (await import('./gateway-status.ts')).printStatus(of, settingFlags(command)),
    )
}

function upstreamOf(text: string, earlier: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, url] = /^([A-Za-z0-9][\w.-]*)=(https?:\/\/.+)$/.exec(text) ?? []
  if (name === undefined || url === undefined || !URL.canParse(url))
    throw new InvalidArgumentError('Write NAME=URL, such as local=http://127.0.0.1:8080')
  return { ...earlier, [name]: url }
}
