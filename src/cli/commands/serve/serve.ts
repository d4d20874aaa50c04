import type { Command } from 'commander'
import { portOption } from '../../options/option-numbers.ts'
import { addSettingFlags, settingFlags } from '../../options/setting-flags.ts'

export type ServeFlags = { readonly port?: number; readonly host?: string; readonly quiet?: true }
export type TokenFlags = { readonly read?: true; readonly owner?: string }

/** `pith serve`: the server, and the tokens of its clients. */
export function serveCommand(pith: Command): void {
  const serve = pith
    .command('serve')
    .description('serve sessions over HTTP, with a page to look at them')
    .option('--port <port>', 'where to listen; 0 takes a free one', portOption)
    .option('--host <address>', 'the address to listen on; by default only this machine can reach it')
    .option('--quiet', 'do not log requests')
    .action(async (flags: ServeFlags, command: Command) => {
      const { runServer } = await import('./serve-run.ts')
      await runServer(flags, settingFlags(command))
    })
  addSettingFlags(serve)
  const token = serve.command('token').description('who may call the server')
  token
    .command('add')
    .description('make a token and print it')
    .argument('<name>', 'what to call it; its sessions belong to this name')
    .option('--read', 'let it only read')
    .option('--owner <name>', 'whose sessions it sees, if not its own')
    .action(async (name: string, flags: TokenFlags) => (await import('./serve-tokens.ts')).printNewToken(name, flags))
  token
    .command('list')
    .description('list the tokens, without their secrets')
    .action(async () => (await import('./serve-tokens.ts')).listTokens())
  token
    .command('remove')
    .description('remove a token; running servers must be restarted')
    .argument('<name>')
    .action(async (name: string) => (await import('./serve-tokens.ts')).dropToken(name))
}
