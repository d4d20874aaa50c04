import type { Command } from 'commander'
import { examples } from '../../options/options.ts'

/** `pith setup`: Pith in the configuration of another agent. */
export function setupCommand(pith: Command): void {
  pith
    .command('setup')
    .description('add Pith to another agent’s configuration, or list the agents found here and what is on')
    .argument('[agent]', 'claude, codex, opencode, pi, gemini, copilot or qwen')
    .option('--memory', 'also let new sessions begin with the memory of their project (pith memory)')
    .option('--server <ADDRESS>', 'only send its requests through the gateway of this team server')
    .option('--token <TOKEN>', 'the token for that server; by default PITH_TOKEN, or the part of the address after #')
    .option('--remove', 'take back what was added')
    .option('--dry-run', 'show the change and make none')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      examples(
        'pith setup                     the agents found here, and what is on',
        'pith setup pi                  shows the change, asks, keeps a copy of the file',
        'pith setup claude --memory     also gives new sessions the memory of their project',
        'pith setup claude --server https://pith.example',
        'pith setup codex --dry-run',
        'pith setup codex --remove',
      ),
    )
    .action(async (agent: string | undefined, flags: SetupFlags) => {
      if (agent === undefined) {
        const { listSetups } = await import('./set-up-agent.ts')
        return listSetups()
      }
      const { setUpAgent } = await import('./set-up-agent.ts')
      process.exitCode = await setUpAgent(agent, flags)
    })
}

/** `pith uninstall`: everything that Pith has put on this machine, listed and removed. */
export function uninstallCommand(pith: Command): void {
  pith
    .command('uninstall')
    .description('list what Pith has put on this machine, and remove what you confirm')
    .option('--conversations', 'also delete the sessions of Pith, and what is kept with them, for good')
    .option('--dry-run', 'only list it')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      examples(
        'pith uninstall --dry-run                what Pith has put where',
        'pith uninstall                          asks about each part; your conversations stay',
        'pith uninstall --yes --conversations    removes all of it',
      ),
    )
    .action(async (flags: UninstallFlags) => {
      process.exitCode = await (await import('./uninstall.ts')).uninstall(flags)
    })
}

export type UninstallFlags = { readonly conversations?: true; readonly dryRun?: true; readonly yes?: true }

export type SetupFlags = {
  readonly memory?: true
  readonly server?: string
  readonly token?: string
  readonly remove?: true
  readonly dryRun?: true
  readonly yes?: true
}
