import type { Command } from 'commander'
import { countOption } from '../../options/options.ts'

/** `pith sessions`: lists the sessions of all agents on this machine, our own included. */
export function sessionsCommand(pith: Command): void {
  pith
    .command('sessions')
    .description('list the sessions of all agents on this machine with ours, newest first')
    .option('--limit <COUNT>', 'how many are shown', countOption, 20)
    .option('--all', 'show all of them')
    .option('--here', 'only those of this folder')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: SessionsFlags) => {
      const { listSessions } = await import('./sessions-list.ts')
      await listSessions(options)
    })
}

export type SessionsFlags = {
  readonly limit: number
  readonly all?: true
  readonly here?: true
  readonly json?: true
}

const EXAMPLES = `
Examples:
  $ pith sessions
  $ pith sessions --all --json
  $ pith import example && pith sessions --here --limit 5`
