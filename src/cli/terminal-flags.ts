import { Command } from 'commander'
import type { FlagKey } from '../config/shortcuts.ts'
import { usageLine } from './program.ts'
import { addSettingFlags, settingFlags } from './setting-flags.ts'

/** What the flags of `pith` without a command ask for. */
export type TerminalFlags = {
  readonly flags: Partial<Record<FlagKey, string>>
  readonly open: { readonly kind: 'new' | 'continue' } | { readonly kind: 'id'; readonly id: string }
}

/** Reads the flags; what is wrong with them is said in one line. */
export function terminalFlags(args: readonly string[]): TerminalFlags {
  const command = addSettingFlags(new Command('pith'))
    .option('-c, --continue', 'go on with the latest session of this workspace')
    .option('--session <id>', 'go on with this session')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`pith: ${usageLine(text)}\n`) })
    .parse(args, { from: 'user' })
  const given: { continue?: true; session?: string } = command.opts()
  const flags = settingFlags(command)
  if (given.session !== undefined) return { flags, open: { kind: 'id', id: given.session } }
  return { flags, open: { kind: given.continue === true ? 'continue' : 'new' } }
}
