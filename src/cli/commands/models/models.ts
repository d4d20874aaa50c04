import type { Command } from 'commander'
import { examples } from '../../options/options.ts'

/** `pith models`: lists models and whether they can be used. */
export function modelsCommand(pith: Command): void {
  pith
    .command('models')
    .description('list models: window, price, whether they can be used and if not why')
    .argument('[filter]', 'only models whose name has this text')
    .option('--json', 'print JSON')
    .action(async (filter: string | undefined, flags: { json?: true }) =>
      (await import('./models-list.ts')).listModels(filter ?? '', flags),
    )
    .addHelpText('after', examples('pith models', 'pith models claude', 'pith models --json'))
}
