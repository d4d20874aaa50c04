import type { Command } from 'commander'

/** `pith models`: lists models and whether they can be used. */
export function modelsCommand(pith: Command): void {
  pith
    .command('models')
    .description('list models: window, price, whether they can be used and if not why')
    .argument('[filter]', 'only models whose name has this text')
    .option('--json', 'print JSON')
    .action(async (filter: string | undefined, { json }: { json?: true }) => {
      const { listModels } = await import('./models-list.ts')
      await listModels(filter ?? '', json === true ? 'json' : 'text')
    })
    .addHelpText('after', EXAMPLES)
}

const EXAMPLES = `
Examples:
  $ pith models
  $ pith models claude
  $ pith models --json`
