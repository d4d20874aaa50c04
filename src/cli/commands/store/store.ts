import type { Command } from 'commander'
import { durationOption, examples } from '../../options/options.ts'

export type DeleteFlags = {
  readonly olderThan?: number
  readonly owner?: string
  readonly project?: string
  readonly dryRun?: true
  readonly yes?: true
}

/** `pith store`: the database of our sessions: whether it is sound, a copy of it, deletions, and what can be saved of a damaged one. */
export function storeCommand(pith: Command): void {
  const store = pith
    .command('store')
    .description(
      'check the database of our sessions, copy it, delete old sessions, or save what can be read of a damaged one',
    )
    .addHelpText('after', examples('pith store check', 'pith store backup ~/pith-copy.db'))
  store
    .command('check')
    .description('read all of it, and say what is wrong')
    .argument('[file]', 'a database file, if not the one in use')
    .action(async (file: string | undefined) => {
      process.exitCode = await (await import('./store-file.ts')).checkStore(file)
    })
  store
    .command('backup')
    .description('copy it into a new file; other processes can continue their work')
    .argument('<file>', 'the new file')
    .action(async (file: string) => (await import('./store-file.ts')).backupStore(file))
  store
    .command('salvage')
    .description('copy what can be read of a damaged database into a new one, and list what cannot')
    .argument('<file>', 'the new file')
    .option('--from <FILE>', 'the damaged database, if not the one in use')
    .action(async (file: string, { from }: { from?: string }) =>
      (await import('./store-file.ts')).salvageStore(file, from),
    )
    .addHelpText('after', examples('pith store check', `pith store salvage ~/saved.db            ${SALVAGED}`))
  store
    .command('delete')
    .description(
      'delete sessions for good, with everything that is kept of them; forks keep the entries that they share',
    )
    .option('--older-than <time>', 'those to which nothing was added for this long, such as 90d or 12h', durationOption)
    .option('--owner <name>', 'those of this owner, such as a token of pith serve')
    .option('--project <folder>', 'those in this folder or below it')
    .option('--dry-run', 'only say what would be deleted')
    .option('--yes', 'do not ask')
    .action(async (flags: DeleteFlags) => {
      process.exitCode = await (await import('./delete-sessions.ts')).deleteSessions(flags)
    })
    .addHelpText(
      'after',
      examples('pith store delete --older-than 90d --dry-run', 'pith store delete --owner ann --yes'),
    )
  store
    .command('forget-index')
    .description('delete the index of other agents’ sessions; the next search makes it again')
    .action(async () => (await import('./store-file.ts')).forgetIndex())
}

const SALVAGED = 'then: mv ~/saved.db ~/.local/share/pith/pith.db, with its -wal and -shm away'
