import { Command } from 'commander'
import type { FlagKey } from '../../../config/tables/shortcuts.ts'
import { addSettingFlags, settingFlags, usageLine } from '../../options/options.ts'

/** The flags of `pith` without a command. */
export type TerminalFlags = {
  readonly flags: Partial<Record<FlagKey, string>>
  readonly open: { readonly kind: 'new' | 'continue' } | { readonly kind: 'id'; readonly id: string }
  /** A command that is run at the start. */
  readonly first?: string
  /** A server that has the sessions. The token may also be part of the address. */
  readonly server?: { readonly address: string; readonly token?: string; readonly workspace?: string }
}

type FlagValues = {
  readonly continue?: true
  readonly session?: string
  readonly resume?: true | string
  readonly server?: string
  readonly token?: string
  readonly workspace?: string
}

/** Reads the flags. A wrong flag is an error of one line. */
export function terminalFlags(args: readonly string[]): TerminalFlags {
  const command = addSettingFlags(new Command('pith'))
    .option('-c, --continue', 'continue the latest session of this workspace')
    .option('--session <id>', 'continue this session')
    .option('--resume [id]', 'choose the session to continue')
    .option('--server <url>', 'work in a session of that server')
    .option('--token <token>', 'its token; by default PITH_TOKEN, or the part of the address after #')
    .option('--workspace <name>', 'the workspace of that server in which the tools of a new session work')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`pith: ${usageLine(text, 'pith')}\n`) })
    .parse(args, { from: 'user' })
  const given: FlagValues = command.opts()
  const flags = settingFlags(command)
  const token = given.token ?? process.env.PITH_TOKEN
  const { workspace, server: address } = given
  const server = address === undefined ? undefined : { address, token, workspace }
  const id = given.session ?? (given.resume === true ? undefined : given.resume)
  if (id !== undefined) return { flags, open: { kind: 'id', id }, server }
  const first = given.resume === true ? '/resume' : undefined
  return { flags, open: { kind: given.continue === true ? 'continue' : 'new' }, first, server }
}
