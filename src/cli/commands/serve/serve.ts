import { type Command, Option } from 'commander'
import type { FlagKey } from '../../../config/index.ts'
import { DEFAULT_PORTS } from '../../../config/tables/setting-choices.ts'
import {
  addSettingFlags,
  dollarsOption,
  durationOption,
  examples,
  portOption,
  settingFlags,
  tokensOption,
} from '../../options/options.ts'

export type ServeFlags = { readonly port?: number; readonly host?: string; readonly quiet?: true }
export type TokenFlags = {
  readonly read?: true
  readonly admin?: true
  readonly owner?: string
  readonly expires?: number
  readonly dailyCost?: number
  readonly dailyTokens?: number
}
/** False takes a limit away; undefined leaves it as it is. */
export type TokenChangeFlags = {
  readonly access?: 'read' | 'write'
  readonly admin?: boolean
  readonly expires?: number | false
  readonly dailyCost?: number | false
  readonly dailyTokens?: number | false
}
export type LinkFlags = {
  readonly token?: string
  readonly url?: string
  readonly expires?: number
  readonly end?: string
}

/** The store whose tokens and links a command is about, if not the one of the configuration. */
export type StoreFlag = Pick<Partial<Record<FlagKey, string>>, 'store'>

// Commander gives its value to `pith serve`, which has the same option. Here it is only for the help.
const storeOption = new Option(
  '--store <PLACE>',
  'the store of the server, if not the one of the configuration: the path of a file, or a postgres:// URL',
)

/** `pith serve`: the server, and the tokens of its clients. */
export function serveCommand(pith: Command): void {
  const serve = pith
    .command('serve')
    .description('serve sessions over HTTP, with a web inspector')
    .option(
      '--port <port>',
      `where to listen, by default server.port (${DEFAULT_PORTS.server}); 0 takes a free one`,
      portOption,
    )
    .option('--host <address>', 'the address to listen on; by default only this machine can reach it')
    .option('--quiet', 'log only the requests that fail in the server (5xx)')
    .action(async (flags: ServeFlags, command: Command) =>
      (await import('./serve-run.ts')).runServer(flags, settingFlags(command)),
    )
  addSettingFlags(serve, ['theme'])
  serve.addHelpText(
    'after',
    examples(
      'pith serve                         prints a link that signs a browser in',
      'pith serve token add laptop        a token for a program',
      'pith serve link SESSION            shows one session to anyone with the link',
    ),
  )
  serve
    .command('link')
    .description('print a link that signs a browser in once, or one that shows a session to anyone who has it')
    .argument('[session]', 'the session to show, read-only; without it the link signs in')
    .option('--token <name>', 'the token of the link, which ends with it')
    .option('--url <address>', 'the address of the server, if not the one of the configuration')
    .option('--expires <time>', 'how long a link to a session works, by default 7d', durationOption)
    .option('--end <link>', 'end a link that was printed before, in all processes')
    .addOption(storeOption)
    .action(async (session: string | undefined, flags: LinkFlags, command: Command) =>
      (await import('./serve-access.ts')).printLink(session, flags, storeFlag(serve, command)),
    )
  const token = serve.command('token').description('who may call the server')
  token
    .command('add')
    .description('make a token and print it')
    .argument('<name>', 'what to call it; its sessions belong to this name')
    .option('--read', 'let it only read')
    .option('--admin', 'let it make, change and remove tokens, over HTTP and in the web inspector')
    .option('--owner <name>', 'whose sessions it sees, if not its own')
    .option('--expires <time>', 'refuse it after this time, such as 30d or 12h', durationOption)
    .option(
      '--daily-cost <dollars>',
      'the most that it may spend of the model keys of the server on a day',
      dollarsOption,
    )
    .option('--daily-tokens <count>', 'the same in tokens, such as 2M', tokensOption)
    .addOption(storeOption)
    .action(async (name: string, flags: TokenFlags, command: Command) =>
      (await import('./serve-access.ts')).printNewToken(name, flags, storeFlag(serve, command)),
    )
  token
    .command('list')
    .description('list the tokens, without their secrets, and what they spent today')
    .addOption(storeOption)
    .action(async (_, command: Command) => (await import('./serve-access.ts')).listTokens(storeFlag(serve, command)))
  token
    .command('change')
    .description('change the rights of a token; running servers know within two seconds')
    .argument('<name>')
    .addOption(new Option('--access <what>', 'what it may do with sessions').choices(['read', 'write']))
    .option('--admin', 'let it make, change and remove tokens')
    .option('--no-admin', 'do not let it do so any more')
    .option('--expires <time>', 'refuse it after this time from now, such as 30d or 12h', durationOption)
    .option('--no-expires', 'accept it until it is removed')
    .option('--daily-cost <dollars>', 'the most that it may spend on a day', dollarsOption)
    .option('--no-daily-cost', 'take this limit away')
    .option('--daily-tokens <count>', 'the same in tokens, such as 2M', tokensOption)
    .option('--no-daily-tokens', 'take this limit away')
    .addOption(storeOption)
    .action(async (name: string, flags: TokenChangeFlags, command: Command) =>
      (await import('./serve-access.ts')).changeToken(name, flags, storeFlag(serve, command)),
    )
  token
    .command('remove')
    .description('remove a token for good; running servers refuse it within two seconds')
    .argument('<name>')
    .addOption(storeOption)
    .action(async (name: string, _, command: Command) =>
      (await import('./serve-access.ts')).dropToken(name, storeFlag(serve, command)),
    )
}

/** Whose tokens and links. Commander also accepts the other flags of `pith serve` here, which would have no effect. */
function storeFlag(serve: Command, command: Command): StoreFlag {
  const other = serve.options.find(
    (option) => option.long !== '--store' && serve.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (other !== undefined) command.error(`unknown option '${other.long}'`)
  return settingFlags(command)
}
